import { answerShape } from '../harness/answer-shape.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Inconclusive } from '../harness/errors.ts'
import { show } from '../harness/json.ts'

/** The detail that the handler gives to who is refused. */
function detailOf({ session }: Pick<CheckContext, 'session'>): string {
  const detail = session.endpoint.refusalDetail
  if (detail !== undefined) return detail
  const unlock = `set endpoints.${session.endpointName}.refusalDetail in the configuration`
  throw new Inconclusive('the configuration has no refusalDetail', unlock)
}

export const errorChecks: readonly Check[] = [
  check(
    [
      'errors.unauthenticated.detail-missing',
      'errors.unauthenticated.detail-wrong',
      'errors.unauthenticated.body-shape',
    ],
    "returns the handler's detail with 401",
    async (context) => {
      const control = { method: 'POST', path: '/threads', body: {} } as const
      const missing = await context.negative(control, {}, { fault: 'nobody' })
      const shown = missing.text.includes(context.session.endpoint.refusalDetail ?? '') ? "with the handler's text" : ''
      context.observe('errors.unauthenticated.body-shape', `${answerShape(missing)} ${shown}`.trim())
      const wrong = await context.negative(control, {}, { fault: 'invalid' })
      const detail = detailOf(context)
      const found = { what: 'the body of the refusal', expected: `${show(detail)} anywhere in it` }
      await decideAll(context, [
        {
          row: 'errors.unauthenticated.detail-missing',
          needs: [{ row: 'auth.refused.thread-create.missing-credentials', holds: missing.status === 401 }],
          holds: missing.text.includes(detail),
          received: missing.text,
          ...found,
        },
        {
          row: 'errors.unauthenticated.detail-wrong',
          needs: [{ row: 'auth.refused.thread-create.wrong-credentials', holds: wrong.status === 401 }],
          holds: wrong.text.includes(detail),
          received: wrong.text,
          ...found,
        },
      ])
    },
  ),
]
