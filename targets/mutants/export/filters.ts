import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { filterCases, passedByNone } from '../../../suites/values/export/filter-cases.ts'
import { rejectRequest } from '../../wrappers/requests.ts'
import { type ChangeExports, type Mutant, mutantsOf } from '../mutant.ts'
import { createExport } from './routes.ts'
import { type BulkExport, changeRange } from './trace-records.ts'

const day = 86_400_000

/** Exports all runs of the window instead of those that pass the filter, in some exports. */
function ignoreFilter(when: (bulkExport: BulkExport) => boolean): ChangeExports {
  return ({ recordsOf, compileFilter }) => {
    let isIgnored = false
    return {
      recordsOf: (traces, bulkExport, partition) => {
        isIgnored = when(bulkExport)
        return recordsOf(traces, bulkExport, partition)
      },
      compileFilter: (text) => {
        const passes = compileFilter(text)
        return (run) => isIgnored || passes(run)
      },
    }
  }
}

/** Decides by the inputs whether a run passes `eq(input_key, …)`. */
function byKey(passes: (key: string, inputs: TraceRecord['inputs']) => boolean): ChangeExports {
  return ({ compileFilter }) => ({
    compileFilter(text) {
      const key = /^eq\(input_key, "([^"]+)"\)$/.exec(text)?.[1]
      return key === undefined ? compileFilter(text) : ({ inputs }) => passes(key, inputs)
    },
  })
}

export const filterMutants: readonly Mutant[] = [
  ...filterCases.map(
    ({ requirement, seeded: { text: filter } }): Mutant => ({
      id: `${requirement}.ignored`,
      defect: `the filter ${filter} matches everything`,
      requirements: [requirement],
      ...(filter === 'eq(run_type, "llm")' && {
        alsoFails: { 'export.schedule.filter': 'a schedule uses the filter' },
      }),
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => (text === filter ? () => true : compileFilter(text)),
      }),
    }),
  ),
  ...mutantsOf({
    'export.filter.and-split': {
      defect: 'a filter with `and` and a value that contains a comma or a parenthesis selects no runs',
      requirements: ['export.filter.and'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => {
          const values = text.startsWith('and(') ? (text.match(/"[^"]*"/g) ?? []) : []
          return values.some((value) => /[,()]/.test(value)) ? () => false : compileFilter(text)
        },
      }),
    },
    'export.filter.key-contains': {
      defect: 'a filter by `input_key` selects runs with a key that contains it',
      requirements: ['export.filter.eq.input_key'],
      exportPolicies: byKey((key, inputs) => Object.keys(inputs).some((each) => each.includes(key))),
    },
    'export.filter.key-or-value': {
      defect: 'a filter by `input_key` selects runs whose inputs contain it as a key or as a value',
      requirements: ['export.filter.eq.input_key'],
      exportPolicies: byKey((key, inputs) => JSON.stringify(inputs).includes(`"${key}"`)),
    },
    'export.filter.only-exported-fields': {
      defect: 'a filter with export_fields that lack inputs finds no inputs',
      requirements: ['export.filter.eq.input_value'],
      exportPolicies: ({ recordsOf, compileFilter }) => {
        let isWithout = false
        return {
          recordsOf: (traces, bulkExport, partition) => {
            isWithout = bulkExport.export_fields?.includes('inputs') === false
            return recordsOf(traces, bulkExport, partition)
          },
          compileFilter: (text) => {
            const passes = compileFilter(text)
            return (run) => passes(isWithout ? { ...run, inputs: {} } : run)
          },
        }
      },
    },
    'export.filter.long-ignored': {
      defect: 'a filter of more than 128 characters has no effect',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => (text.length > 128 ? () => true : compileFilter(text)),
      }),
    },
    'export.filter.accents-ignored': {
      defect: 'a filter by name ignores accents',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => {
          const name = /^eq\(name, "(.*)"\)$/.exec(text)?.[1]
          const bare = (each: string) => each.normalize('NFD').replaceAll(/\p{M}/gu, '')
          return name === undefined ? compileFilter(text) : (run) => bare(run.name) === bare(name)
        },
      }),
    },
    'export.filter.none-is-all': {
      defect: 'a filter that no run passes has no effect',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => (text === passedByNone.text ? () => true : compileFilter(text)),
      }),
    },
    'export.filter.cached': {
      defect: 'the first filter is applied to all exports with a filter',
      requirements: ['export.filter.eq.name'],
      nondeterministic: 'which filter is the first depends on the order of the checks',
      exportPolicies: ({ compileFilter }) => {
        let first: ReturnType<typeof compileFilter> | undefined
        return {
          compileFilter: (text) => {
            first ??= compileFilter(text)
            return first
          },
        }
      },
    },
    'export.filter.comma-refused': {
      defect: 'filters with a comma in a value are rejected',
      requirements: ['export.filter.eq.name'],
      alsoFails: { 'export.filter.and': 'its value contains a comma, too' },
      wrap: rejectRequest(
        createExport,
        ({ filter }) =>
          String(filter)
            .match(/"[^"]*"/g)
            ?.some((value) => value.includes(',')) === true,
      ),
    },
    'export.filter.of-root': {
      defect: 'filters are applied to the root of a trace, and pass or reject all its runs',
      requirements: ['export.filter.eq.run_type'],
      nondeterministic: 'which other filters fail depends on the runs of the traces',
      exportPolicies: ({ compileFilter }) => {
        const passing = new Set<string>()
        return {
          compileFilter: (text) => {
            const passes = compileFilter(text)
            return (run) => {
              if (run.is_root && passes(run)) passing.add(`${text} ${run.trace_id}`)
              return passing.has(`${text} ${run.trace_id}`)
            }
          },
        }
      },
    },
    'export.filter.input-key-refused': {
      defect: 'filters with only eq(input_key, …) are rejected',
      requirements: ['export.filter.eq.input_key'],
      wrap: rejectRequest(createExport, ({ filter }) => /^eq\(input_key/.test(String(filter))),
    },
    'export.filter.fields-instead': {
      defect: 'one-off exports with export_fields ignore the filter',
      requirements: ['export.filter.like.prefix', 'export.filter.like.middle', 'export.filter.eq.input_value'],
      exportPolicies: ignoreFilter((each) => each.export_fields !== null && each.source_bulk_export_id === null),
    },
    'export.filter.other-workspace-ignored': {
      defect: 'exports of the second workspace ignore the filter',
      requirements: ['export.filter.eq.run_type'],
      exportPolicies: ignoreFilter((each) => each.tenant_id !== '00000000-0000-4000-8000-00000000000a'),
    },
    'export.filter.outputs-lost': {
      defect: 'the files of exports with a filter lack the column outputs',
      requirements: ['export.record.outputs.column'],
      alsoFails: { 'export.fields.complete': 'some exports with a filter request columns, among them outputs' },
      exportPolicies: ({ columnsOf }) => ({
        columnsOf: (bulkExport) =>
          columnsOf(bulkExport).filter(({ name }) => name !== 'outputs' || bulkExport.filter === null),
      }),
    },
    'export.filter.window-ignored': {
      defect: 'exports with the filter eq(run_type, "llm") contain runs of later days',
      requirements: ['export.filter.eq.run_type'],
      alsoFails: {
        'export.run.per-date': 'the later days have no export run',
        'export.file.partition': 'the runs of later days are in the last partition of the window',
        'export.file.rows.once': 'each date of the window contains the runs of later days',
      },
      // Four days reach the runs of the test window; the days before it have few, perhaps none of this type.
      exportPolicies: changeRange(({ startMs, endMs }, { filter, source_bulk_export_id: source }) => ({
        startMs,
        endMs: endMs + (filter === 'eq(run_type, "llm")' && source === null ? 4 * day : 0),
      })),
    },
    'export.filter.and-is-or': {
      defect: '`and` behaves like `or`',
      requirements: [
        'export.filter.and',
        'export.filter.and.nested',
        'export.filter.eq.input_value',
        'export.filter.like.input_value',
      ],
      nondeterministic: 'all filters with `and` behave differently',
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replaceAll('and(', 'or(')),
      }),
    },
    'export.filter.pattern-is-expression': {
      defect: 'a period in a pattern matches any character',
      requirements: ['export.filter.like.middle'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replace(/^like\(name, "v1%\.0/, 'like(name, "v1%%0')),
      }),
    },
    'export.filter.parts-overlap': {
      defect: 'the last two parts of a pattern such as "a%b%c" may overlap',
      requirements: ['export.filter.like.middle'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) =>
          compileFilter(
            text.replace(/^like\(name, "([^%"]+%[^%"]+)%([^%"]+)"\)$/, 'and(like(name, "$1%"), like(name, "%$2"))'),
          ),
      }),
    },
    'export.filter.after-second-percent-ignored': {
      defect: 'the text after the second % of a pattern is ignored',
      requirements: ['export.filter.like.middle'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) =>
          compileFilter(text.replace(/^like\(name, "([^%"]*%[^%"]*%)[^"]+"\)$/, 'like(name, "$1")')),
      }),
    },
    'export.filter.third-and-ignored': {
      defect: '`and` within `and` within `and` matches everything',
      requirements: ['export.filter.and.nested'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replace(/^and\((.*), and\((.*), and\(.*\)\)\)$/, 'and($1, $2)')),
      }),
    },
    'export.filter.long-value-cut': {
      defect: 'values longer than 64 characters match every name with the same first 64 characters',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replace(/^eq\(name, "(.{64}).+"\)$/, 'like(name, "$1%")')),
      }),
    },
    'export.filter.value-normalized': {
      defect: 'several spaces in a value become one',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replace(/^(eq\(name, .*) {2,}/, '$1 ')),
      }),
    },
    'export.filter.first-suffix': {
      defect: 'a pattern such as "%a" matches only names in which the first "a" is at the end',
      requirements: ['export.filter.like.suffix'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => {
          const suffix = /^like\(name, "%([^%"]+)"\)$/.exec(text)?.[1]
          if (suffix === undefined) return compileFilter(text)
          return ({ name }) => name.includes(suffix) && name.indexOf(suffix) === name.length - suffix.length
        },
      }),
    },
    'export.filter.eq-is-like': {
      defect: '% in the value of eq(name, …) matches any text',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replace(/^eq\(name,/, 'like(name,')),
      }),
    },
    'export.filter.value-cut-at-comma': {
      defect: 'a value ends at its first comma',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replace(/^(eq\(name, "[^",]*),[^"]*"/, '$1"')),
      }),
    },
    'export.filter.value-ascii': {
      defect: 'characters outside ASCII are removed from values',
      requirements: ['export.filter.eq.name'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) => compileFilter(text.replaceAll(/[^ -~]/g, '')),
      }),
    },
    'export.filter.first-of-nested-and': {
      defect: '`and` within `and` uses only its first argument',
      requirements: ['export.filter.and.nested'],
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) =>
          compileFilter(text.replace(/^and\((.*), and\((like\([^)]*\)), .*\)\)$/, 'and($1, $2)')),
      }),
    },
    'export.filter.percent-is-text': {
      defect: '% in a pattern matches only itself',
      requirements: [
        'export.filter.like.prefix',
        'export.filter.like.suffix',
        'export.filter.like.infix',
        'export.filter.like.middle',
      ],
      alsoFails: {
        'export.filter.like.input_value': 'it is a pattern',
        'export.schedule.own-path': 'the filter of a schedule has a pattern',
      },
      exportPolicies: ({ compileFilter }) => ({
        compileFilter: (text) =>
          compileFilter(text.replaceAll(/like\([^)]*\)/g, (pattern) => pattern.replaceAll('%', '\\\\%'))),
      }),
    },
  }),
]
