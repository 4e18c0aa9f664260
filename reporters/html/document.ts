import { createHash } from 'node:crypto'
import { type Html, html, verbatim } from './markup.ts'

/** The style sheet and the script of a page. */
export interface Assets {
  style: string
  script: string
}

/** A whole page. It loads no other resource; its content security policy applies even if escaping fails. */
export function renderDocument(
  { style, script }: Assets,
  { title, generator, body }: { title: string; generator: string; body: Html },
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body id="top">
${body}
<script>${verbatim(script)}</script>
</body>
</html>
`.markup
}

function hash(text: string): Html {
  return verbatim(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
}
