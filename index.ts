export {
  createMockServer,
  defaultParts,
  defineGraph,
  type MockServer,
  type MockServerOptions,
  type Parts,
} from './mock-server/index.ts'
export { defineTarget, type Manifest } from './suites/harness/manifest.ts'
