/** Records by id, in the order in which they were made. A record is never changed but replaced. */
export class Table<T extends { readonly id: string }> {
  readonly #records: Map<string, T> = new Map()
  readonly #ids: string[] = []
  readonly #save: (record: T) => void

  /** `save` is told of every record that is put in after these. */
  constructor(records: Iterable<T> = [], save: (record: T) => void = () => undefined) {
    this.#save = save
    for (const record of records) this.#keep(record)
  }

  get(id: string): T | undefined {
    return this.#records.get(id)
  }

  /** Adds a record, or puts it in the place of the one with its id. */
  put(record: T): void {
    this.#save(record)
    this.#keep(record)
  }

  /** Replaces the record by one with these changes and returns it. */
  update(record: T, changes: Partial<T>): T {
    const changed = { ...(this.#records.get(record.id) ?? record), ...changes }
    this.put(changed)
    return changed
  }

  /** Every record, oldest first. */
  values(): Iterable<T> {
    return this.#records.values()
  }

  /** Every record, newest first. */
  *newestFirst(): Generator<T> {
    for (let index = this.#ids.length - 1; index >= 0; index--) {
      const record = this.#records.get(this.#ids[index] ?? '')
      if (record !== undefined) yield record
    }
  }

  #keep(record: T): void {
    if (!this.#records.has(record.id)) this.#ids.push(record.id)
    this.#records.set(record.id, record)
  }
}
