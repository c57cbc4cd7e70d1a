import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import texts from '#schemas/locales/en/problem.json' with { type: 'json' }
import { problemText } from '#schemas/problem-text.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { fromMeta, repeatedTypes } from './components.ts'
import { lintTemplate, type TemplateFault } from './lint.ts'

/** Fault names in the samples, by path and rule here. */
const NAMES: Readonly<Record<string, string>> = {
  'name:template.name': 'templateName name',
  'name:length': 'templateName length',
  'language:enum': 'language language',
  'components:body.required': 'body bodyrequired',
  'BODY.text:length': 'body length',
  'BODY.text:variables.sequence': 'body sequence',
  'BODY.text:variables.edge': 'body edge',
  'BODY.text:variables.adjacent': 'body adjacent',
  'BODY.text:variables.mixed': 'body mixed',
  'BODY.text:variables.braces': 'body braces',
  'HEADER.text:variables.max1': 'header oneheadervariable',
  'HEADER.text:length': 'header length',
  'FOOTER.text:variables': 'footer footervariables',
  'FOOTER.text:length': 'footer length',
  'BUTTONS:max10': 'buttons maxbuttons',
  'BUTTONS:grouping': 'buttons grouping',
  'BUTTONS:url.max2': 'buttons maxurl',
  'BUTTONS:phone.max1': 'buttons maxphone',
  'BUTTONS[0].url:variables.end': 'buttons.0.url uriend',
  'BUTTONS[0].example:required': 'buttons.0.example uriexample',
  'CAROUSEL:max10': 'cards maxcards',
  'CAROUSEL:cards.same': 'cards samecards',
}
/** Paths here of the samples' messages from the specification. */
const PATHS: Readonly<Record<string, string>> = {
  components: 'components',
  BODY: 'params',
  HEADER: 'header_file',
  'BUTTONS[0].text': 'buttons.0.text',
  'BUTTONS[0].url': 'buttons.0.url',
  'BUTTONS[0].phone_number': 'buttons.0.phone_number',
}

interface Case {
  readonly name: string
  readonly template: JsonObject & { readonly components: readonly JsonObject[] }
  readonly errors: readonly string[]
}

const faultsOf = ({ template }: Case): readonly TemplateFault[] => [
  ...(repeatedTypes(template.components).length > 0 ? [{ path: 'components', rule: 'multiple' } as const] : []),
  ...lintTemplate(fromMeta(template)),
]

const said = ({ path, rule, max = 0 }: TemplateFault): readonly string[] => [
  `${path} ${rule}`,
  `${path}: ${problemText(texts, 'en', 'field.template', { rule, max })}`,
]

describe('the lint of templates', () => {
  const { cases } = corpusJson<{ readonly cases: readonly Case[] }>('campaigns/constructed/template-lint.json')

  test.each(cases)(
    'finds what Meta refuses: $name [D-5.13] [D-5.14] [D-5.15] [D-5.36] [D-5.37] [D-5.38] [D-5.39] [D-5.40] [D-5.41] [D-5.42] [D-3.11.05]',
    given => {
      const faults = faultsOf(given).filter(({ level }) => level !== 'warning')
      const expected = given.errors.map(error => {
        const [path = '', ...message] = error.split(':')
        return NAMES[error] ?? `${PATHS[path]}: ${message.join(':')}`
      })
      const found = faults.map(each => said(each).find(text => expected.includes(text)) ?? said(each)[0])
      expect(found).toEqual(expected)
    },
  )
})

describe('texts that Meta refuses', () => {
  const body = (text: string) => ({ type: 'BODY', text })
  const reply = (text: string) => ({ type: 'QUICK_REPLY', text })
  const lint = (components: readonly JsonObject[]) =>
    lintTemplate(fromMeta({ name: 'oferta', language: 'pt_BR', category: 'UTILITY', components: [...components] }))

  test('names each button whose text an earlier one has, also in a card [P-2916]', () => {
    const buttons = { type: 'BUTTONS', buttons: [reply('Sim'), reply('Agora não'), reply('Sim ')] }
    expect(lint([body('Tudo certo?'), buttons])).toEqual([{ path: 'buttons.2.text', rule: 'samebuttons' }])
    const card = { components: [body('Novo'), { type: 'BUTTONS', buttons: [reply('Ver'), reply('Ver')] }] }
    const faults = lint([body('Tudo certo?'), { type: 'CAROUSEL', cards: [card, card] }])
    expect(faults.filter(({ rule }) => rule === 'samebuttons').map(({ path }) => path)).toEqual([
      'cards.0.button2_text',
      'cards.1.button2_text',
    ])
  })

  test('refuses four empty lines in a row and takes three [P-2916]', () => {
    expect(lint([body('Oi\n\n \n\nTchau')])).toEqual([])
    expect(lint([body('Oi\n\n \n\n\nTchau')])).toEqual([{ path: 'body', rule: 'blanklines', max: 3 }])
  })
})
