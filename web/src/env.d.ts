/// <reference types="vite/client" />
declare module "virtual:catalogue/*" {
  const messages: Record<string, string | string[]>;
  export default messages;
}
declare module "virtual:offer/*" {
  const offer: import("./offer").Offer;
  export default offer;
}
declare module "virtual:rules" {
  const addresses: Record<string, string>;
  export default addresses;
}
declare module "@parts/*" {
  const url: string;
  export default url;
}
