/** Version of this package, as in package.json. */
export const packageVersion = '0.1.0'
