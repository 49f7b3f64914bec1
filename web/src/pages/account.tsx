// Who I am to the house.
import type { JSX } from "preact";
import { useHouse } from "../hooks";
import { NameForm } from "./name";

export function Account(): JSX.Element {
  const { me } = useHouse();
  return me ? <h1>{me.name}</h1> : <NameForm />;
}
