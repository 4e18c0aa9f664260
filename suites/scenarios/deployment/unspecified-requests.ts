import {
  bodyProbes,
  fieldProbes,
  malformedIdProbes,
  type Probe,
  routeProbes,
  unknownProbes,
} from '../../catalog/deployment/probes.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { RunContext } from '../../harness/context.ts'
import type { ApiRequest, ApiResponse } from '../../harness/http.ts'
import { bodyShape, responseShape } from '../../harness/response-shape.ts'
import { probe, type Scenario } from '../scenario.ts'

/** A run that has ended, for probes that name one on the wrong thread. */
function endedRun({ deployment, session }: RunContext): Promise<string> {
  return session.memoize('run of another thread', async () => (await deployment.runToEnd({ graph: 'any' })).runId)
}

/** The request of a probe, on a thread of its own: no response depends on another probe. */
async function requestOf(context: RunContext, probe: Probe): Promise<ApiRequest> {
  const text = `${probe.path} ${probe.body ?? ''}`
  const threadId = /\{thread\}/i.test(text) ? await context.deployment.thread() : ''
  const runId = text.includes('{run}') ? await endedRun(context) : ''
  const graph = context.session.graph('any')
  const fill = (template: string) =>
    template
      .replaceAll('{thread}', threadId)
      .replaceAll('{THREAD}', threadId.toUpperCase())
      .replaceAll('{run}', runId)
      .replaceAll('{graph}', graph)
  return {
    method: probe.method,
    path: fill(probe.path),
    ...(probe.body === undefined ? {} : { body: fill(probe.body) }),
    ...(probe.contentType === undefined ? {} : { headers: { 'content-type': probe.contentType } }),
  }
}

const send = async (context: RunContext, probe: Probe): Promise<ApiResponse> =>
  context.deployment.http.send({ ...(await requestOf(context, probe)), sendOnce: true })

/** Sends all probes of a group and observes the response to each. */
function observed(title: string, probes: readonly Probe[]): Scenario {
  const requirements = probes.map(({ id }) => id as RequirementId)
  return probe(requirements, title, async (context) => {
    for (const probe of probes) {
      const requirement = probe.id as RequirementId
      await context.attempt(requirement, async () =>
        context.observe(requirement, responseShape(await send(context, probe))),
      )
    }
  })
}

const errorBodies = probe('errors.body-shape', 'observes the shapes of error bodies', async (context) => {
  const samples = [...bodyProbes.slice(0, 1), ...fieldProbes.slice(0, 1), ...unknownProbes.slice(0, 1), ...routeProbes]
  const responses = []
  for (const probe of samples) responses.push(await send(context, probe))
  const errorShapes = responses.filter(({ ok }) => !ok).map(bodyShape)
  context.observe('errors.body-shape', [...new Set(errorShapes)].sort().join(' | ') || 'none: everything is accepted')
})

export const unspecifiedRequestScenarios: readonly Scenario[] = [
  observed('observes responses to invalid bodies', bodyProbes),
  observed('observes responses to invalid fields', fieldProbes),
  observed('observes responses to unknown ids', unknownProbes),
  observed('observes responses to malformed ids', malformedIdProbes),
  observed('observes undocumented routes, methods and queries', routeProbes),
  errorBodies,
]
