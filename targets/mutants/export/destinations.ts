import { BucketError, type BucketProblem } from '../../../mock-server/export/bucket/bucket.ts'
import { credentialFields, destinationFields } from '../../../suites/catalog/export/destination.ts'
import { isObject } from '../../../suites/catalog/facts.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import { jsonBody, rejectRequest } from '../../wrappers/requests.ts'
import { replace } from '../../wrappers/responses.ts'
import { changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { acceptInvalid, createDestination } from './routes.ts'

const text = new TextEncoder().encode('test')

/** Registers a destination although writing the test file has failed for this reason. */
function tolerateProblem(problem: BucketProblem, requirements: readonly RequirementId[]): Mutant {
  return {
    id: `export.destination.tolerates-${problem}`,
    defect: `a destination is registered although its bucket reports ${problem}`,
    requirements,
    exportPolicies: ({ writeTestFile }) => ({
      writeTestFile: async (bucket, key) => {
        try {
          await writeTestFile(bucket, key)
        } catch (error) {
          if (!(error instanceof BucketError) || error.problem !== problem) throw error
        }
      },
    }),
  }
}

/** Adds the encoded secret of the last destination to a header of every response. */
function leakInHeader(id: string, defect: string, encode: (secret: string) => string): Mutant {
  return {
    id,
    defect,
    requirements: ['export.destination.credentials.not-answered'],
    wrap: (fetch) => {
      let lastSecret: string | undefined
      return async (request) => {
        if (matchesRoute(request, createDestination)) {
          const { credentials } = await jsonBody(request)
          if (isObject(credentials)) lastSecret = String(credentials['secret_access_key'])
        } else if (lastSecret !== undefined) {
          const response = await fetch(request)
          response.headers.set('x-debug', encode(lastSecret))
          return response
        }
        return fetch(request)
      }
    },
  }
}

/** Adds the encoded secret of a destination to the response of its registration. */
function leakInBody(id: string, defect: string, encode: (secret: string) => string): Mutant {
  return {
    id,
    defect,
    requirements: ['export.destination.credentials.not-answered'],
    wrap: respondInstead(createDestination, async (request, fetch) => {
      const { credentials } = await jsonBody(request)
      const response = await fetch(request)
      if (!response.ok || !isObject(credentials)) return response
      const body = { ...((await response.json()) as object), note: encode(String(credentials['secret_access_key'])) }
      return replace(response, { body: JSON.stringify(body) })
    }),
  }
}

/** Writes the secret of the account to the test file. */
function leakInTestFile(): Mutant {
  let secret = ''
  return {
    id: 'export.destination.test-file.with-secret',
    defect: 'the test file contains the secret of the account',
    requirements: ['export.destination.credentials.not-answered'],
    wrap: respondInstead(createDestination, async (request, fetch) => {
      const { credentials } = await jsonBody(request)
      if (isObject(credentials)) secret = String(credentials['secret_access_key'])
      const response = await fetch(request)
      // The evidence is the registration.
      response.headers.set('x-test-file', 'written')
      return response
    }),
    exportPolicies: () => ({
      writeTestFile: async (bucket, key) => {
        await bucket.put(key, new TextEncoder().encode(`written with ${secret}`))
        await bucket.delete(key).catch(() => undefined)
      },
    }),
  }
}

export const destinationMutants: readonly Mutant[] = [
  leakInTestFile(),
  ...destinationFields.map(
    (field): Mutant => ({
      id: `export.destination.${field}.optional`,
      defect: `a destination without ${field} is accepted`,
      requirements: [`export.destination.${field}.required`],
      wrap: acceptInvalid(createDestination, (body) => !(field in body)),
    }),
  ),
  {
    id: 'export.destination.credentials.optional',
    defect: 'the hosted service accepts destinations without credentials',
    requirements: ['export.destination.credentials.required-hosted'],
    wrap: acceptInvalid(createDestination, (body) => !('credentials' in body)),
  },
  ...credentialFields.map(
    (field): Mutant => ({
      id: `export.destination.${field}.optional`,
      defect: `destinations whose credentials lack ${field} are accepted`,
      requirements: [`export.destination.${field}.required`],
      wrap: acceptInvalid(
        createDestination,
        ({ credentials }) => isObject(credentials) && credentials[field] === undefined,
      ),
    }),
  ),
  ...mutantsOf({
    'export.destination.refused': {
      defect: 'every destination is rejected',
      requirements: ['export.destination.create.accepted'],
      wrap: rejectRequest(createDestination, () => true),
    },
    'export.destination.id-reused': {
      defect: 'every destination has the id of the first one',
      requirements: ['export.destination.create.fresh-id'],
      nondeterministic: 'exports write to the destination of another check',
      wrap: (fetch) => {
        let first: unknown
        return changeResponse(createDestination, (body) => {
          first ??= Object(body)['id']
          return { ...Object(body), id: first }
        })(fetch)
      },
    },
    'export.destination.prefix-ignored': {
      defect: 'files are written to the root of the bucket',
      requirements: ['export.destination.prefix.confines', 'export.file.prefix'],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (config, ...args) => objectKey({ ...config, prefix: '' }, ...args),
      }),
    },
    'export.destination.prefix-of-earlier': {
      defect: 'a file is written under the prefix of the file before it',
      requirements: ['export.destination.prefix.confines', 'export.file.prefix'],
      exportPolicies: ({ objectKey }) => {
        let earlier: string | undefined
        return {
          objectKey: ({ prefix: own, ...config }, ...args) => {
            const prefix = earlier ?? own
            earlier = own
            return objectKey({ ...config, prefix }, ...args)
          },
        }
      },
    },
    'export.destination.prefix-without-suffix': {
      defect: 'the end of a prefix from its last dot is left out',
      requirements: ['export.destination.prefix.confines', 'export.file.prefix'],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (config, ...args) =>
          objectKey({ ...config, prefix: config.prefix.replace(/\.[^/.]*$/, '') }, ...args),
      }),
    },
    'export.destination.prefix-cut': {
      defect: 'a prefix is cut after 100 characters',
      requirements: ['export.destination.prefix.confines', 'export.file.prefix'],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (config, ...args) => objectKey({ ...config, prefix: config.prefix.slice(0, 100) }, ...args),
      }),
    },
    'export.destination.prefix-encoded': {
      defect: 'spaces in the prefix are percent-encoded',
      requirements: ['export.destination.prefix.confines', 'export.file.prefix'],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (config, ...args) => objectKey({ ...config, prefix: encodeURI(config.prefix) }, ...args),
      }),
    },
    'export.destination.session-token.refused': {
      defect: 'credentials with a session token are rejected',
      requirements: ['export.destination.session-token.accepted'],
      wrap: rejectRequest(
        createDestination,
        ({ credentials }) => isObject(credentials) && 'session_token' in credentials,
      ),
    },
    'export.destination.session-token.dropped': {
      defect: 'the session token is not used when files are written',
      requirements: ['export.destination.session-token.used'],
      exportPolicies: ({ openBucket }) => {
        // The test file has shorter timeouts than the files of an export.
        return {
          openBucket: ({ credentials, ...access }) => {
            if (credentials === undefined || access.network.requestMs <= 10_000)
              return openBucket({ ...access, credentials })
            const { session_token: _, ...keys } = credentials
            return openBucket({ ...access, credentials: keys })
          },
        }
      },
    },
  }),
  leakInBody(
    'export.destination.secret-echoed',
    'the response to a registration contains the secret',
    (secret) => secret,
  ),
  leakInBody(
    'export.destination.secret-in-base64',
    'the response to a registration contains the secret in base64',
    btoa,
  ),
  leakInBody(
    'export.destination.secret-within-base64',
    'the response to a registration contains a base64 text with the secret',
    (secret) => btoa(`{"secret_access_key":"${secret}"}`).replaceAll('+', '-').replaceAll('/', '_'),
  ),
  leakInHeader(
    'export.destination.secret-in-header',
    'a response header contains the secret',
    (secret) => `secret=${secret}`,
  ),
  leakInHeader(
    'export.destination.secret-encoded-in-header',
    'a response header contains the URL-encoded secret',
    encodeURIComponent,
  ),
  ...mutantsOf({
    'export.destination.test-file.none': {
      defect: 'an aborted upload replaces the test file',
      requirements: ['export.destination.test-file.written'],
      exportPolicies: () => ({
        writeTestFile: async (bucket, key) => bucket.abortUpload(key, await bucket.createUpload(key)),
      }),
    },
    'export.destination.test-file.left': {
      defect: 'the test file is not deleted',
      requirements: ['export.destination.test-file.deleted'],
      exportPolicies: () => ({ writeTestFile: (bucket, key) => bucket.put(key, text) }),
    },
    'export.destination.test-file.left-later': {
      defect: 'only the test file of the first destination is deleted',
      requirements: ['export.destination.test-file.deleted'],
      exportPolicies: ({ writeTestFile }) => {
        let isFirst = true
        return {
          writeTestFile: (bucket, key) => {
            const write = isFirst ? writeTestFile(bucket, key) : bucket.put(key, text)
            isFirst = false
            return write
          },
        }
      },
    },
    'export.destination.test-file.must-be-deleted': {
      defect: 'credentials without delete permission are rejected',
      requirements: ['export.destination.test-file.delete-optional'],
      exportPolicies: () => ({
        writeTestFile: async (bucket, key) => {
          await bucket.put(key, text)
          await bucket.delete(key)
        },
      }),
    },
    'export.destination.ambient-refused': {
      defect: 'a self-hosted installation rejects destinations without credentials',
      requirements: ['export.destination.ambient-credentials', 'export.versioning.ambient-credentials.on'],
      wrap: rejectRequest(createDestination, (body) => !('credentials' in body)),
    },
  }),
  tolerateProblem('access-denied', [
    'export.errors.access-denied.refused',
    'export.errors.wrong-secret',
    'export.destination.test-file.rejects',
  ]),
  {
    id: 'export.destination.without-address',
    defect: 'a destination with neither region nor endpoint_url is accepted',
    requirements: ['export.destination.neither'],
    wrap: acceptInvalid(
      createDestination,
      ({ config }) => isObject(config) && !('region' in config) && !('endpoint_url' in config),
    ),
  },
  tolerateProblem('no-bucket', ['export.errors.bucket-missing.refused']),
  tolerateProblem('unknown-key', ['export.errors.unknown-key.refused']),
  tolerateProblem('no-endpoint', ['export.errors.endpoint-no-store.refused']),
]
