import type { Theme } from 'vitepress'
// System fonts: the site loads nothing from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts'
import { MermaidDiagram } from './mermaid-diagram.ts'
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('MermaidDiagram', MermaidDiagram)
  },
}

export default theme
