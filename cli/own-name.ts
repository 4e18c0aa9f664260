import { registerHooks } from 'node:module'

/** This package's module of public functions: beside the sources in a checkout, in `dist` once installed. */
const ownModule = new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url).href

/**
 * Lets a configuration import `touchstone` where its project does not have the package: run by npx, by the GitHub
 * Action or from a checkout, this very package answers to the name.
 */
export function resolveOwnName(): void {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        if (specifier !== 'touchstone') throw error
        return { url: ownModule, shortCircuit: true }
      }
    },
  })
}
