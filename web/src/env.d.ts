/// <reference types="vite/client" />
declare module "virtual:catalogue/*" {
  const messages: Record<string, string | string[]>;
  export default messages;
}
