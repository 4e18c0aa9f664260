import type { RequirementId } from '../catalog/generated/ids.ts'
import type { ApiRequest, Http } from './http.ts'

/** Which row says that a path is answered to a GET. */
export type AnsweredBy = readonly (readonly [RegExp, RequirementId])[]

/** A client whose plain reads blame the row that says that they are answered, where no answer comes. */
export function blaming(http: Http, rows: AnsweredBy): Http {
  const withRow = (api: ApiRequest): ApiRequest => {
    const { method, row: known, sendOnce, headers } = api
    if (method !== 'GET' || known !== undefined || sendOnce || headers !== undefined) return api
    const row = rows.find(([form]) => form.test(api.path))?.[1]
    return row === undefined ? api : { ...api, row }
  }
  return { ...http, send: (api) => http.send(withRow(api)) }
}
