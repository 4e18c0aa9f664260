import { expect, test } from 'vitest'
import { KNOWN_ROUTES, nearestRoutes } from '../../mock-server/control/known-routes.ts'
import { pathName } from '../../mock-server/control/route-names.ts'
import { routePattern } from '../../mock-server/control/route-pattern.ts'
import { createMockServer } from '../../mock-server/index.ts'

test('every described route has a unique name in the journal and matches it', async () => {
  const response = await createMockServer().fetch(new Request('http://mock/openapi.json'))
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
  expect(routes.length).toBeGreaterThan(20)
  const named = (all: typeof KNOWN_ROUTES): string[] => all.map(({ method, path }) => `${method} ${path}`).toSorted()
  expect(named(KNOWN_ROUTES)).toEqual(named(routes))
  for (const { method, path } of routes) {
    const concretePath = path.replaceAll(/\{\w+\}/g, '7e000000-0000-4000-8000-000000000001')
    expect(`${method} ${pathName(concretePath)}`).toBe(`${method} ${path}`)
    const matching = routes.filter((other) => routePattern(`${other.method} ${other.path}`)(method, concretePath))
    expect(matching).toEqual([{ method, path }])
    expect(nearestRoutes(method, concretePath)).toBeUndefined()
  }
})
