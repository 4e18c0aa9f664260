import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Assets } from '../document.ts'

/** The pages with assets of their own: each has `style/NAME.css`, `browser/NAME.ts` and `generated/NAME.ts`. */
export const pageNames = ['report', 'matrix'] as const

/** Bundles the style sheets and the browser modules of a page, because a page is self-contained. */
export async function bundleAssets(page: (typeof pageNames)[number]): Promise<Assets> {
  return { style: await bundle(`style/${page}.css`), script: await bundle(`browser/${page}.ts`) }
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

/** The source text of `generated/NAME.ts`, which the renderer of the page imports. */
export function assetsModule({ style, script }: Assets): string {
  return `// Written by \`npm run page\`; do not edit.

export const style: string = ${JSON.stringify(style)}

export const script: string = ${JSON.stringify(script)}
`
}
