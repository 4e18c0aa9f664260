import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import type { Answer } from '../harness/http.ts'
import { at } from '../harness/json.ts'
import { belongings, creation, finds, runIds, type Stage, sharedBelongings } from './auth-scene.ts'

const nothing = 'nothing of the other user'

/** An answer as a failure shows it. */
function told({ status, text }: Answer): string {
  return `${status} ${text}`
}

const reading = check(
  [
    'auth.scope.own-state',
    'auth.scope.state',
    'auth.scope.hidden-status',
    'auth.scope.own-runs',
    'auth.scope.run-list',
    'auth.scope.run-get',
    'auth.scope.run-join',
  ],
  'hides a thread from another user',
  async (context) => {
    const { threadId, runId, text } = await sharedBelongings(context, 'alice')
    const get = async (user: 'alice' | 'bob', path: string) =>
      context.as(user).http.send({ method: 'GET', path: `/threads/${threadId}${path}` })
    // The owner reads last: that somebody else was refused may not hide a thing from its owner.
    const [state, ownState] = [await get('bob', '/state'), await get('alice', '/state')]
    const [runs, ownRuns] = [await get('bob', '/runs?limit=100'), await get('alice', '/runs?limit=100')]
    const [run, join] = [await get('bob', `/runs/${runId}`), await get('bob', `/runs/${runId}/join`)]
    context.observe('auth.scope.hidden-status', `state ${state.status}, runs ${runs.status}, run ${run.status}`)
    await decideAll(context, [
      {
        row: 'auth.scope.own-state',
        holds: ownState.ok && ownState.text.includes(text),
        what: "the state of the user's own thread",
        expected: `a state that contains "${text}"`,
        received: told(ownState),
      },
      {
        row: 'auth.scope.state',
        needs: ['auth.scope.own-state'],
        holds: !state.text.includes(text),
        what: "the state of another user's thread",
        expected: nothing,
        received: told(state),
      },
      {
        row: 'auth.scope.own-runs',
        holds: ownRuns.ok && ownRuns.text.includes(runId),
        what: "the runs of the user's own thread",
        expected: `a list that contains ${runId}`,
        received: told(ownRuns),
      },
      {
        row: 'auth.scope.run-list',
        needs: ['auth.scope.own-runs'],
        holds: !runs.text.includes(runId),
        what: "the runs of another user's thread",
        expected: nothing,
        received: told(runs),
      },
      {
        row: 'auth.scope.run-get',
        needs: ['auth.scope.own-runs'],
        holds: at(run.json, 'run_id') !== runId && !run.text.includes(text),
        what: "a run on another user's thread",
        expected: nothing,
        received: told(run),
      },
      {
        row: 'auth.scope.run-join',
        needs: ['auth.scope.own-state'],
        holds: !join.text.includes(text),
        what: "the join of a run on another user's thread",
        expected: nothing,
        received: told(join),
      },
    ])
  },
)

const running = check(
  ['auth.scope.run-create', 'auth.scope.run-stream'],
  "rejects runs on another user's thread",
  async (context) => {
    const { threadId, runId, text } = await belongings(context, 'alice', 'visited thread')
    const own = creation(context, await context.as('bob').thread(), { text: 'a guest was here', strategy: 'enqueue' })
    const asBob = { control: 'bob', fault: 'bob' } as const
    const path = `/threads/${threadId}/runs`
    const created = await context.negative(own, { path }, asBob)
    const afterCreation = await runIds(context, 'alice', threadId)
    const streamed = await context.negative({ ...own, path: `${own.path}/stream` }, { path: `${path}/stream` }, asBob)
    const afterStream = await runIds(context, 'alice', threadId)
    await decideAll(context, [
      {
        row: 'auth.scope.run-create',
        holds: at(created.json, 'run_id') === undefined && afterCreation.length === 1,
        what: "a run created on another user's thread",
        expected: `no run except ${runId}`,
        received: `${told(created)}; the thread has ${afterCreation.length} runs`,
      },
      {
        row: 'auth.scope.run-stream',
        holds: !streamed.text.includes(text) && afterStream.length === afterCreation.length,
        what: "a run streamed on another user's thread",
        expected: 'nothing of the other user, and no new run',
        received: `${told(streamed)}; the thread has ${afterStream.length} runs, before ${afterCreation.length}`,
      },
    ])
  },
)

const users = ['alice', 'bob'] as const
type Reader = (typeof users)[number]

/** Reads the state of one user's thread as a user: whether the thread's messages are in the answer. */
async function readState(context: Stage, reader: Reader, owner: Reader) {
  const { threadId, text } = await sharedBelongings(context, owner)
  const answer = await context.as(reader).http.send({ method: 'GET', path: `/threads/${threadId}/state` })
  return { reader, owner, answer, shows: answer.text.includes(text) }
}

const bothWays = check('auth.scope.both-ways', "hides the second user's thread from the first", async (context) => {
  const own = await readState(context, 'bob', 'bob')
  const usual = await readState(context, 'bob', 'alice')
  const state = await readState(context, 'alice', 'bob')
  await decideAll(context, [
    {
      row: 'auth.scope.both-ways',
      needs: [
        { row: 'auth.scope.own-state', holds: own.shows },
        { row: 'auth.scope.state', holds: !usual.shows },
      ],
      holds: !state.shows,
      what: "the state of the second user's thread, read by the first",
      expected: nothing,
      received: told(state.answer),
    },
  ])
})

const sideBySide = check('auth.scope.side-by-side', 'separates the threads of concurrent users', async (context) => {
  const alone = await readState(context, 'bob', 'alice')
  const [hers, his] = [await readState(context, 'alice', 'alice'), await readState(context, 'bob', 'bob')]
  const back = await readState(context, 'alice', 'bob')
  const pairs = users.flatMap((reader) => users.map((owner) => ({ reader, owner })))
  const many = [...pairs, ...pairs, ...pairs]
  const seen = await Promise.all(many.map(({ reader, owner }) => readState(context, reader, owner)))
  const wrong = seen.find(({ reader, owner, shows }) => shows !== (reader === owner))
  await decideAll(context, [
    {
      row: 'auth.scope.side-by-side',
      needs: [
        { row: 'auth.scope.own-state', holds: hers.shows && his.shows },
        { row: 'auth.scope.state', holds: !alone.shows },
        { row: 'auth.scope.both-ways', holds: !back.shows },
      ],
      holds: wrong === undefined,
      what: `the state of a thread of ${wrong?.owner}, read by ${wrong?.reader} concurrently`,
      expected: wrong?.reader === wrong?.owner ? 'the state' : nothing,
      received: wrong && told(wrong.answer),
    },
  ])
})

const assistants = check(
  [
    'auth.scope.own-assistant',
    'auth.scope.assistant-get',
    'auth.scope.own-assistant-found',
    'auth.scope.assistant-search',
    'auth.scope.foreign-assistant',
  ],
  'hides an assistant from another user',
  async (context) => {
    const { assistantId, marker } = await sharedBelongings(context, 'alice')
    const get = { method: 'GET', path: `/assistants/${assistantId}` } as const
    const foreign = await context.as('bob').http.send(get)
    const own = await context.as('alice').http.send(get)
    const foreignFound = await finds(context.as('bob'), assistantId)
    const ownFound = await finds(context.as('alice'), assistantId)
    await decideAll(context, [
      {
        row: 'auth.scope.own-assistant',
        holds: own.ok && own.text.includes(marker),
        what: "the user's own assistant",
        expected: `an assistant that contains "${marker}"`,
        received: told(own),
      },
      {
        row: 'auth.scope.assistant-get',
        needs: ['auth.scope.own-assistant'],
        holds: at(foreign.json, 'assistant_id') !== assistantId && !foreign.text.includes(marker),
        what: "another user's assistant",
        expected: nothing,
        received: told(foreign),
      },
      {
        row: 'auth.scope.own-assistant-found',
        holds: ownFound,
        what: "a search for the user's own assistant",
        expected: `${assistantId} on one of the pages`,
        received: 'pages without it',
      },
      {
        row: 'auth.scope.assistant-search',
        needs: ['auth.scope.own-assistant-found'],
        holds: !foreignFound,
        what: "a search for another user's assistant",
        expected: 'pages without it',
        received: `${assistantId} on one of the pages`,
      },
    ])
    const threadId = await context.as('bob').thread()
    const body = { assistant_id: assistantId, input: { messages: [] }, multitask_strategy: 'enqueue' }
    const run = await context.as('bob').http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
    context.observe('auth.scope.foreign-assistant', String(run.status))
  },
)

export const authScopeChecks: readonly Check[] = [reading, running, bothWays, sideBySide, assistants]
