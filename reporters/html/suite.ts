import type { Report } from '../model/report.ts'
import { html } from './markup.ts'
import type { PageSection } from './sections.ts'

/** How the suite itself was tested: with wrong servers, and with unusual but conforming ones. */
export function suiteSection({ suite: { version, strength } }: Report): PageSection[] {
  if (strength === undefined) return []
  const { mutants, generatedMutants, variants } = strength
  const { killed, equivalent, survived } = generatedMutants
  const facts = [
    html`<li><b>${mutants}</b> hand-written mutants, servers with one defect each: every one fails a requirement.</li>`,
    html`<li><b>${killed + equivalent + survived}</b> generated mutants: ${killed} fail a requirement, ${equivalent} still conform to the specification, ${survived} are not detected.</li>`,
    variants.accepted + variants.rejected > 0 &&
      html`<li><b>${variants.accepted + variants.rejected}</b> variants, conforming servers with unusual behavior: ${variants.accepted} pass, ${variants.rejected} are rejected by mistake.</li>`,
  ]
  const content = html`<p class="hint">Results of the tests of touchstone ${version} itself. Each failure shows those of its requirement.</p><ul class="plain">${facts}</ul>`
  return [{ id: 'suite', title: 'About this suite', content, isFolded: true }]
}
