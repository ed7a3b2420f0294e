// The page from its sources: types are stripped from each file by Node itself, so nothing else has to be installed.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

process.removeAllListeners("warning"); // stripping types is declared experimental
const here = import.meta.dirname;
const target = process.argv[2];
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const name of readdirSync(join(here, "src"))) {
  const text = readFileSync(join(here, "src", name), "utf8");
  if (name.endsWith(".ts")) {
    const plain = stripTypeScriptTypes(text).replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"');
    writeFileSync(join(target, name.replace(/\.ts$/, ".js")), plain);
  } else {
    writeFileSync(join(target, name), text);
  }
}
