import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Public module of this package: next to the sources in a checkout, in `dist` in an installation. */
const ownModule = new URL(import.meta.url.endsWith('.ts') ? '../../index.ts' : '../../index.js', import.meta.url).href

/** Line that only an ES module has. */
const moduleSyntax = /^(?:import\s*[\w{*'"]|export\s*[\w{*])/m

/** Imports a module of a user, such as a configuration or a driver. */
export async function importUserModule(file: string): Promise<Record<string, unknown>> {
  const hooks = admitUserModules()
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    hooks.deregister()
  }
}

/**
 * Registers hooks to import modules of users from any directory.
 *
 * `touchstone` is this package if their project does not have it: with npx, with the GitHub Action or from a checkout. A
 * file with `import` or `export` is an ES module, whatever the type of its package: `npm init` writes
 * `"type": "commonjs"`, and a `touchstone.config.ts` in that package must load.
 */
export function admitUserModules(): { deregister(): void } {
  return registerHooks({
    resolve(specifier, context, next) {
      try {
        const resolved = next(specifier, context)
        if (!isScript(resolved.url) || resolved.format?.startsWith('module') || !hasModuleSyntax(resolved.url))
          return resolved
        return { ...resolved, format: resolved.url.endsWith('.ts') ? 'module-typescript' : 'module' }
      } catch (error) {
        if (specifier !== 'touchstone') throw error
        return { url: ownModule, shortCircuit: true }
      }
    },
  })
}

function isScript(url: string): boolean {
  return url.startsWith('file:') && /\.[jt]s$/.test(url) && !url.includes('/node_modules/')
}

function hasModuleSyntax(url: string): boolean {
  try {
    return moduleSyntax.test(readFileSync(fileURLToPath(url), 'utf8'))
  } catch {
    // The import reports why it cannot be read.
    return false
  }
}
