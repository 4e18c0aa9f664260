import { isNoChange, plainUpdate } from '../../../graphs/values.ts'
import { renderings } from '../../stream/renderings.ts'
import type { Renderings } from '../../stream/wire-event.ts'

/** The update of a node without changes is empty, and the values of an interrupt contain only the interrupt. */
export const renderingsOfJsDev: Renderings = {
  ...renderings,
  result: [
    {
      mode: 'updates',
      render: ({ task, update }) => [
        { event: 'updates', data: { [task.name]: isNoChange(update) ? {} : plainUpdate(update) } },
      ],
    },
    ...renderings.result.filter(({ mode }) => mode !== 'updates'),
  ],
  stopped: [
    ...renderings.stopped.filter(({ mode }) => mode !== 'values'),
    { mode: 'values', render: ({ interrupts }) => [{ event: 'values', data: { __interrupt__: interrupts } }] },
  ],
}
