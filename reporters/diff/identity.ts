import { shownEndpoints } from '../endpoints.ts'
import type { Report } from '../model/report.ts'

/** What a report is of. */
export interface Identity {
  /** Names the report, for example by its file. */
  source: string
  target: { name: string; version?: string; endpoints: { name: string; url: string }[] }
  suite: { version: string; catalogHash: string; seed: string }
  /** ISO 8601. */
  startedAt: string
  sentence: string
  exitCode: Report['verdict']['exitCode']
}

/** The identity of a report without its rows. */
export function identityOf(report: Report, source: string): Identity {
  const { target, suite, startedAt, verdict } = report
  return {
    source,
    target: {
      name: target.name,
      ...(target.version === undefined ? {} : { version: target.version }),
      endpoints: shownEndpoints(report).map(({ name, url }) => ({ name, url })),
    },
    suite: { version: suite.version, catalogHash: suite.catalogHash, seed: suite.seed },
    startedAt,
    sentence: verdict.sentence,
    exitCode: verdict.exitCode,
  }
}
