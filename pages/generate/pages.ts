import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { bundle, bundleAssets, moduleOf } from './bundle.ts'

/** A module with a page or its assets. */
interface GeneratedModule {
  readonly file: URL
  /** Returns the source text of the module. */
  readonly write: () => Promise<string>
}

const root = new URL('../../', import.meta.url)

/** The generated modules by the name of their page. */
export const pages: Readonly<Record<'report' | 'matrix' | 'live' | 'docs', GeneratedModule>> = {
  report: partOfReport('report'),
  matrix: partOfReport('matrix'),
  live: { file: new URL('mock-server/control/page/generated/live.ts', root), write: livePage },
  docs: { file: new URL('mock-server/deployment/docs/generated/docs.ts', root), write: stylesOfDocs },
}

/** The style sheet and the script of a page that a reporter writes. */
function partOfReport(name: string): GeneratedModule {
  const folder = new URL('reporters/html/', root)
  return {
    file: new URL(`generated/${name}.ts`, folder),
    write: async () => {
      const { style, script } = await bundleAssets(
        new URL(`style/${name}.css`, folder),
        new URL(`browser/${name}.ts`, folder),
      )
      return moduleOf({ style, script })
    },
  }
}

/** The live page of the mock server as a whole, with its content security policy. */
async function livePage(): Promise<string> {
  const folder = new URL('mock-server/control/page/', root)
  const { style, script } = await bundleAssets(new URL('style/live.css', folder), new URL('browser/live.ts', folder))
  const template = await readFile(new URL('live.html', folder), 'utf8')
  const html = template
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
  const sources = [`script-src ${hash(script)}`, "connect-src 'self'"]
  return moduleOf({ html, policy: policyOf(style, sources) })
}

/** The style sheet of the description of the API, with the content security policy. */
async function stylesOfDocs(): Promise<string> {
  const style = await bundle(new URL('mock-server/deployment/docs/style/docs.css', root))
  return moduleOf({ style, policy: policyOf(style) })
}

function policyOf(style: string, sources: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
