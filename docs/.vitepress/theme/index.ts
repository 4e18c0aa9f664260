/// <reference types="vitepress/client" />
import type { Theme } from 'vitepress'
// System fonts: the site loads nothing from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

const theme: Theme = DefaultTheme

export default theme
