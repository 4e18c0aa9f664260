import scriptUrl from '@mermaid-js/tiny/dist/mermaid.tiny.js?url'
import { useData } from 'vitepress'
import { type Component, defineComponent, h, onMounted, ref, watch } from 'vue'

interface Mermaid {
  initialize(options: { startOnLoad: boolean; theme: string; flowchart: { htmlLabels: boolean } }): void
  render(id: string, source: string): Promise<{ svg: string }>
}

/** Draws a diagram in the colors of the page; only pages with a diagram load Mermaid, from the site itself. */
export const MermaidDiagram: Component = defineComponent({
  props: { title: { type: String, required: true }, source: { type: String, required: true } },
  setup(props) {
    const svg = ref('')
    const { isDark } = useData()
    async function draw(): Promise<void> {
      const mermaid = await loadMermaid()
      const theme = isDark.value ? 'dark' : 'neutral'
      mermaid.initialize({ startOnLoad: false, theme, flowchart: { htmlLabels: false } })
      svg.value = (await mermaid.render('diagram', decodeURIComponent(props.source))).svg
    }
    onMounted(draw)
    watch(isDark, draw)
    return () => h('div', { class: 'diagram', role: 'img', 'aria-label': props.title, innerHTML: svg.value })
  },
})

/** Mermaid is a classic script that sets a global. */
async function loadMermaid(): Promise<Mermaid> {
  const scope = globalThis as { mermaid?: Mermaid }
  if (scope.mermaid) return scope.mermaid
  const script = document.createElement('script')
  const { promise, resolve, reject } = Promise.withResolvers<Mermaid>()
  script.onload = () => (scope.mermaid ? resolve(scope.mermaid) : reject(new Error('Mermaid did not load')))
  script.onerror = () => reject(new Error('Mermaid did not load'))
  script.src = scriptUrl
  document.head.append(script)
  return promise
}
