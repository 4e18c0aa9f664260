import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take a minute or more, the longest first, and short ones that would start last. */
const longest = [
  'test/targets/third-party/sdk-shapes.slow.test.ts',
  'test/docs/site.slow.test.ts',
  'test/install/python.slow.test.ts',
  'test/docs/commands.slow.test.ts',
  'test/integrations/conformance-tests.slow.test.ts',
  'test/targets/third-party/conformance.slow.test.ts',
  'test/suites/exports-by-driver.slow.test.ts',
  'test/clients/python.slow.test.ts',
  'test/targets/third-party/black-box.slow.test.ts',
  'test/mock-server/schemathesis.slow.test.ts',
  'test/clients/chat/chromium.slow.test.ts',
  'test/mock-server/journal/stalled-reader.slow.test.ts',
]

/** Starts the longest test files first, so that none runs alone at the end. A clean checkout has no durations to sort by. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((file) => moduleId.endsWith(file))
      return index === -1 ? longest.length : index
    }
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => (a.project.name === b.project.name ? rank(a) - rank(b) : 0))
  }
}
