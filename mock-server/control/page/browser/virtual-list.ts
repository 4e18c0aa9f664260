import { create } from '../../../../pages/browser/create.ts'
import { inNextFrame } from './next-frame.ts'

/** Options of a list. */
interface ListOptions<Item> {
  readonly label: string
  /** Updates the element of a row, which may have shown another item before. */
  readonly renderRow: (row: HTMLElement, item: Item) => void
  /** Called with the visible items before their rows are updated. */
  readonly beforeRows: (visible: readonly Item[]) => void
  readonly onOpen: (item: Item) => void
}

/** A list of any length, of which only the visible rows are in the document. */
export interface VirtualList<Item> {
  readonly element: HTMLElement
  /** Replaces the items. A list that shows its end still shows its end afterwards. */
  setItems(items: readonly Item[]): void
  /** Marks the item at an index as the opened one and scrolls to it; -1 marks none. */
  select(index: number): void
  scrollToEnd(): void
  focus(): void
  readonly isAtEnd: boolean
}

const EXTRA_ROWS = 4
const PAGE = 10

/** Creates a list whose rows have the height `--row` of its element, in pixels. */
export function createVirtualList<Item>(options: ListOptions<Item>): VirtualList<Item> {
  const spacer = create('div', { className: 'spacer', role: 'presentation' })
  const element = create('div', { className: 'rows', role: 'listbox', tabIndex: 0, ariaLabel: options.label }, spacer)
  const rows: HTMLElement[] = []
  let items: readonly Item[] = []
  let selected = -1
  let rowHeight = 36
  let isFollowing = true

  const draw = (): void => {
    const { clientHeight, scrollTop } = element
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - EXTRA_ROWS)
    const last = Math.min(items.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + EXTRA_ROWS)
    const needed = Math.max(rows.length, last - first)
    while (rows.length < needed) rows.push(spacer.appendChild(newRow(rows.length)))
    options.beforeRows(items.slice(first, last))
    const isUsed = new Set<number>()
    for (let index = first; index < last; index++) {
      const item = items[index]
      const row = rows[index % rows.length]
      if (item === undefined || row === undefined) continue
      isUsed.add(index % rows.length)
      row.hidden = false
      row.dataset['index'] = String(index)
      row.style.transform = `translateY(${index * rowHeight}px)`
      row.ariaPosInSet = String(index + 1)
      row.ariaSetSize = String(items.length)
      row.ariaSelected = String(index === selected)
      options.renderRow(row, item)
    }
    rows.forEach((row, slot) => {
      if (!isUsed.has(slot)) row.hidden = true
    })
    const active = selected >= first && selected < last ? rows[selected % rows.length] : undefined
    if (active === undefined) element.removeAttribute('aria-activedescendant')
    else element.setAttribute('aria-activedescendant', active.id)
  }
  const schedule = inNextFrame(draw)
  const newRow = (slot: number): HTMLElement =>
    create('div', { className: 'row', role: 'option', id: `row-${slot}`, hidden: true })

  const measure = (): void => {
    rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || rowHeight
    spacer.style.height = `${items.length * rowHeight}px`
  }
  const isAtEnd = (): boolean => element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight / 2
  const scrollToEnd = (): void => {
    isFollowing = true
    element.scrollTop = element.scrollHeight
    schedule()
  }
  const reveal = (index: number): void => {
    const top = index * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight
    }
  }
  const open = (index: number): void => {
    const item = items[Math.min(Math.max(index, 0), items.length - 1)]
    if (item !== undefined) options.onOpen(item)
  }

  element.addEventListener('scroll', () => {
    isFollowing = isAtEnd()
    schedule()
  })
  element.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null
    if (row !== null) open(Number(row.dataset['index']))
  })
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: selected + 1,
      ArrowUp: selected === -1 ? items.length - 1 : selected - 1,
      PageDown: selected + PAGE,
      PageUp: selected - PAGE,
      Home: 0,
      End: items.length - 1,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    open(next)
  })
  new ResizeObserver(() => {
    measure()
    if (isFollowing) scrollToEnd()
    schedule()
  }).observe(element)

  return {
    element,
    setItems: (next) => {
      items = next
      measure()
      if (isFollowing) scrollToEnd()
      schedule()
    },
    select: (index) => {
      if (index !== selected && index !== -1) {
        reveal(index)
        isFollowing = isAtEnd()
      }
      selected = index
      schedule()
    },
    scrollToEnd,
    focus: () => element.focus(),
    get isAtEnd() {
      return isFollowing
    },
  }
}
