import { isObject } from '../catalog/facts.ts'
import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { NotApplicable } from '../harness/errors.ts'
import { at, show } from '../harness/json.ts'
import { belongings, creation, finds, whoami } from './auth-scene.ts'

export const authStudioChecks: readonly Check[] = [
  check(
    [
      'auth.studio.state',
      'auth.studio.run-list',
      'auth.studio.run-get',
      'auth.studio.run-create',
      'auth.studio.assistant-get',
      'auth.studio.assistant-search',
      'auth.studio.user',
    ],
    'gives users of the development UI full access',
    async (context) => {
      const { session } = context
      if (!session.endpoint.users?.studio) {
        throw new NotApplicable('the configuration has no user of the visual development UI')
      }
      const { threadId, runId, assistantId, text, marker } = await belongings(context, 'alice', 'open to developers')
      const { http } = context.as('studio')
      const get = (path: string) => http.send({ method: 'GET', path })
      const state = await get(`/threads/${threadId}/state`)
      const runs = await get(`/threads/${threadId}/runs`)
      const run = await get(`/threads/${threadId}/runs/${runId}`)
      const assistant = await get(`/assistants/${assistantId}`)
      const found = await finds(context.as('studio'), assistantId)
      const created = await http.send(creation(context, threadId, { text: 'by a developer', strategy: 'enqueue' }))
      await decideAll(context, [
        {
          row: 'auth.studio.state',
          holds: state.text.includes(text),
          what: "the state of a user's thread",
          expected: `a state that contains "${text}"`,
          received: `${state.status} ${state.text}`,
        },
        {
          row: 'auth.studio.run-list',
          holds: runs.text.includes(runId),
          what: "the runs of a user's thread",
          expected: `a list that contains ${runId}`,
          received: `${runs.status} ${runs.text}`,
        },
        {
          row: 'auth.studio.run-get',
          holds: at(run.json, 'run_id') === runId,
          what: "a run on a user's thread",
          expected: runId,
          received: `${run.status} ${run.text}`,
        },
        {
          row: 'auth.studio.run-create',
          holds: created.ok && at(created.json, 'run_id') !== undefined,
          what: "a run created on a user's thread",
          expected: 'a run',
          received: `${created.status} ${created.text}`,
        },
        {
          row: 'auth.studio.assistant-get',
          holds: assistant.text.includes(marker),
          what: "a user's assistant",
          expected: `an assistant that contains "${marker}"`,
          received: `${assistant.status} ${assistant.text}`,
        },
        {
          row: 'auth.studio.assistant-search',
          holds: found,
          what: "a search for a user's assistant",
          expected: `${assistantId} on one of the pages`,
          received: 'pages without it',
        },
      ])
      const { user } = await whoami(context, 'studio')
      const named = `identity ${show(at(user, 'identity'))}, kind ${show(at(user, 'kind'))}`
      context.observe('auth.studio.user', isObject(user) ? named : `no object, but a ${typeof user}`)
    },
  ),
]
