import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The style sheet and the script of a report page. */
export interface Assets {
  style: string
  script: string
}

/** Bundles the style sheets and the browser modules, because a page is self-contained. */
export async function bundleAssets(): Promise<Assets> {
  return { style: await bundle('style/main.css'), script: await bundle('browser/main.ts') }
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
  })
  return outputFiles[0]?.text.trim() ?? ''
}

/** The source text of `generated/assets.ts`, which the renderer imports. */
export function assetsModule({ style, script }: Assets): string {
  return `// Written by \`npm run page\`; do not edit.

export const style: string = ${JSON.stringify(style)}

export const script: string = ${JSON.stringify(script)}
`
}
