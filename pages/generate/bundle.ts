import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The style sheet and the script of a page. */
interface Assets {
  readonly style: string
  readonly script: string
}

/** Bundles the style sheets and the browser modules of a page, because a page is self-contained. */
export async function bundleAssets(style: URL, script: URL): Promise<Assets> {
  const [styleText, scriptText] = await Promise.all([bundle(style), bundle(script)])
  return { style: styleText, script: scriptText }
}

/** Bundles a style sheet or a module with everything that it imports. */
export async function bundle(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
  })
  return outputFiles[0]?.text.trim() ?? ''
}

/** Returns the source text of a module that exports texts. */
export function moduleOf(texts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(texts).map(
    ([name, text]) => `\nexport const ${name}: string = ${JSON.stringify(text)}\n`,
  )
  return `// Written by \`npm run page\`; do not edit.\n${lines.join('')}`
}
