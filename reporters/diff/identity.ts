import { shownEndpoints } from '../endpoints.ts'
import type { Report } from '../model/report.ts'

/** The target, suite and verdict of a report. */
export interface Identity {
  /** A name for the report, for example its file name. */
  source: string
  target: { name: string; version?: string; endpoints: { name: string; url: string }[] }
  suite: { version: string; catalogHash: string; seed: string }
  /** ISO 8601. */
  startedAt: string
  sentence: string
  exitCode: Report['verdict']['exitCode']
}

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
