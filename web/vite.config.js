// How the pages are built. `npm run dev` serves them with the server of `salotto serve` behind:
//   build/salotto serve --public-url http://localhost:5173
import { resolve } from "node:path";
import { defineConfig } from "vite";
import { catalogue } from "./plugins/catalogue.js";
import { offer } from "./plugins/engine.js";
import { rules } from "./plugins/rules.js";
import { serviceWorker } from "./plugins/worker.js";

const server = "http://127.0.0.1:8014";

export default defineConfig({
  plugins: [catalogue(), offer(), rules(), serviceWorker()],
  // What the build of the engine makes for the pages; see tools/web.
  resolve: { alias: { "@parts": resolve(process.env.SALOTTO_PARTS ?? "../build/web/files.parts") } },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  build: {
    target: "es2022",
    outDir: process.env.SALOTTO_WEB_OUT ?? "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: scripts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
