/** Policies of the public API that this server leaves out, by their paths. */
const NOT_OFFERED: readonly { readonly paths: RegExp; readonly what: string }[] = [
  { paths: /^\/store(\/|$)/, what: 'the store' },
  { paths: /^(\/threads\/[^/]+)?\/runs\/crons(\/|$)/, what: 'crons' },
  {
    paths: /^\/threads\/[^/]+\/(commands|stream\/events)$/,
    what: 'the second stream protocol (commands and their events)',
  },
  { paths: /^\/ui\//, what: 'components of a user interface' },
]

/** Words for a path of the public API that this server leaves out; undefined for any other path. */
export function notOffered(path: string): string | undefined {
  const part = NOT_OFFERED.find(({ paths }) => paths.test(path))
  return part && `This server does not offer ${part.what}; there is no endpoint ${path}`
}
