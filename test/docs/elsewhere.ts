/** A command of the documentation that another test runs. */
export interface Elsewhere {
  readonly page: string
  readonly command: string
  /** Why the test of the pages cannot run it. */
  readonly reason: string
  /** A file of the checkout that runs it, and the text that does so. */
  readonly by: readonly [file: string, text: string]
}

const gate = 'takes minutes'
const servers = 'installs and starts a public server'

/** All of them; an entry without a command on its page fails the test. */
export const elsewhere: readonly Elsewhere[] = [
  ...['README.md', 'docs/tutorial/test-a-server.md'].flatMap((page) => [
    entry(page, 'npm ci', 'replaces the packages that the tests run with', '.ci/run', 'npm ci'),
    entry(page, 'npm pack', 'compiles the whole checkout', 'test/fixtures/package.ts', "'pack'"),
    entry(
      page,
      'npm install --save-dev ../touchstone/touchstone-0.1.0.tgz',
      'needs the packed package',
      'test/fixtures/package.ts',
      "npm(['install', tarball]",
    ),
  ]),
  entry(
    'README.md',
    'npm run conformance',
    'tests the same servers as the command of the tutorial',
    'test/cli/conformance.slow.test.ts',
    "touchstone(['conformance', '--report'",
  ),
  entry('docs/guides/python.md', 'npm ci', 'replaces the packages that the tests run with', '.ci/run', 'npm ci'),
  ...[
    ['pip wheel --no-deps ./python', "['wheel', '--no-deps'"],
    [
      'pip install ../touchstone/agent_touchstone-0.1.0-py3-none-any.whl',
      "install(venv, ['pytest', join(folder, wheel)])",
    ],
    [
      'pytest --touchstone-url http://127.0.0.1:2024 -m touchstone -k run.create',
      "'--touchstone-url', url, '-m', 'touchstone', '-k', 'run.create'",
    ],
  ].map(([command = '', text = '']) =>
    entry('docs/guides/python.md', command, 'needs Python', 'test/install/python.slow.test.ts', text),
  ),
  entry('CONTRIBUTING.md', 'npm ci', 'replaces the packages that the tests run with', '.ci/run', 'npm ci'),
  ...['CONTRIBUTING.md', 'docs/contributing/adding-a-check.md'].map((page) =>
    entry(page, 'npm run check', gate, '.ci/run', 'npm run --silent check'),
  ),
  entry('CONTRIBUTING.md', 'npm test', 'is what runs this', 'test/all.ts', "spawn('npm', ['test'"),
  entry('CONTRIBUTING.md', 'npm run test:all', 'is what runs this', '.ci/run', 'npm run --silent test:all'),
  entry('CONTRIBUTING.md', 'npm run mutants', gate, '.ci/run', 'npm run --silent mutants'),
  entry('CONTRIBUTING.md', 'npm run variants', gate, 'test/long/variants.ts', 'targets/variants/run.ts'),
  ...[
    'npm run generated-mutants',
    "npm run generated-mutants -- --only ' · next'",
    'npm run generated-mutants -- --all',
  ].map((command) =>
    entry(
      'docs/contributing/generated-mutants.md',
      command,
      gate,
      'test/long/generated-mutants.ts',
      'targets/mutants/generated/run.ts',
    ),
  ),
  entry(
    'CONTRIBUTING.md',
    'npm run third-party',
    servers,
    'test/targets/third-party/conformance.slow.test.ts',
    'testServer(server',
  ),
  ...['', ' -- langgraph-js', ' -- --repeat 5 --busy', ' -- --no-baseline', ' -- --record'].map((options) =>
    entry(
      'docs/reference/third-party-servers.md',
      `npm run third-party${options}`,
      servers,
      'test/targets/third-party/conformance.slow.test.ts',
      'testServer(server',
    ),
  ),
  entry(
    'docs/guides/test-bulk-exports.md',
    'npx touchstone cleanup --state reports/leftovers.json',
    'needs a run that was killed',
    'test/cli/good-guest.slow.test.ts',
    "['cleanup', '--config', config, '--state', state]",
  ),
  ...['start', 'verify'].map((phase) =>
    entry(
      'docs/guides/test-bulk-exports.md',
      `npx touchstone test --phase ${phase} --state started.json --bucket env`,
      'hours lie between the two',
      'test/cli/phases.slow.test.ts',
      `call('test', '--phase', '${phase}'`,
    ),
  ),
  ...[
    'npm install @langchain/langgraph-cli@1.5.1 @langchain/langgraph-api@1.5.1 @langchain/langgraph-checkpoint@1.1.5 typescript@5',
    'npx langgraphjs dev --no-browser --port 2024',
    'npx langgraphjs dev --no-browser --port 2025 --config langgraph.custom-auth.json',
  ].map((command) =>
    entry(
      'docs/guides/deploy-test-graphs.md',
      command,
      servers,
      'targets/third-party/langgraph-js/package.json',
      '1.5.1',
    ),
  ),
  entry(
    'docs/guides/test-a-python-client.md',
    'TOUCHSTONE_URL=http://127.0.0.1:2024 pytest -n 4',
    'needs Python',
    'test/docs/python.slow.test.ts',
    "...pytest, '-n', '4'",
  ),
  ...[
    "python3 -m venv venv && venv/bin/pip install 'langgraph-cli[inmem]'",
    'venv/bin/langgraph dev --no-browser --no-reload --port 2024',
    'venv/bin/langgraph dev --no-browser --no-reload --port 2025 --config langgraph.custom-auth.json',
  ].map((command) =>
    entry(
      'docs/guides/deploy-test-graphs.md',
      command,
      servers,
      'targets/third-party/langgraph-py/requirements.txt',
      'langgraph-cli',
    ),
  ),
]

function entry(page: string, command: string, reason: string, file: string, text: string): Elsewhere {
  return { page, command, reason, by: [file, text] }
}
