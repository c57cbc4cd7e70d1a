import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { promptFields } from './common-fields.ts'

const TEXT = ['none', 'Email', 'MobilePhone', 'URL', 'Alpha', 'AlphaNumeric'] as const
const NUMBER = [
  'none',
  'CPF',
  'CNPJ',
  'CEP',
  'Boleto',
  'PIS',
  'Age',
  'Temperature',
  'Dimension',
  'Currency',
  'Percentage',
  'Ordinal',
  'CreditCard',
  'IP',
  'Port',
] as const

/** Units of measured answers. */
const UNITS = {
  Age: ['year', 'month', 'week', 'day'],
  Temperature: ['C', 'F', 'K'],
  Dimension: ['mm', 'cm', 'm', 'km', 'in', 'ft', 'g', 'kg', 'ml', 'l'],
  Currency: ['BRL', 'USD', 'EUR', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'UYU'],
} as const

const choice = { 'data.type': ['choice'] }
const dynamic = { ...choice, isPromptDynamic: [true] }

export const prompt = defineBlock({
  type: 'prompt',
  category: 'interaction',
  icon: 'MessageCircleQuestionMark',
  outputs: ['output_1', 'output_giveup'],
  choiceOutputs: [
    { list: 'data.options', when: { ...choice, isPromptDynamic: [false] } },
    { fixed: ['output_yes', 'output_no'], when: { 'data.type': ['confirm'] } },
  ],
  panel: 'choices',
  words: 'data.text',
  fields: {
    data: f.group({
      type: f.enumeration(['text', 'number', 'time', 'confirm', 'choice', 'location', 'attachment']),
      text: f.rich(),
      options: f.list(
        { label: f.string(), value: f.string() },
        { bare: 'label', when: { ...choice, isPromptDynamic: [false] } },
      ),
      config: f.group({ listStyle: f.enumeration(['auto', 'button', 'inline', 'list']) }, { when: choice }),
      validationType: f.enumeration([...TEXT, ...NUMBER.slice(1)] as [string, ...string[]], {
        when: { 'data.type': ['text', 'number'] },
        per: { field: 'data.type', options: { text: TEXT, number: NUMBER } },
      }),
      unit: f.enumeration(Object.values(UNITS).flat() as [string, ...string[]], {
        initial: '',
        open: true,
        when: { 'data.type': ['number'], 'data.validationType': Object.keys(UNITS) },
        per: { field: 'data.validationType', options: UNITS },
      }),
      dateExtractType: f.enumeration(['date', 'time', 'datetime', 'day', 'month', 'year'], {
        when: { 'data.type': ['time'] },
      }),
      textStyle: f.enumeration(['password'], { initial: '', when: { 'data.type': ['text'] } }),
    }),
    ...promptFields,
    isPromptDynamic: f.switch(false, { when: choice }),
    extractFromVariable: f.reference('variable', { when: dynamic, reads: {} }),
    jsonPathRuleForTitleExtractor: f.expression({ language: 'jsonpath', when: dynamic }),
    jsonPathRuleForValueExtractor: f.expression({ language: 'jsonpath', when: dynamic }),
  },
  rules: [
    { field: 'data.text', check: 'required', severity: 'warning' },
    { field: 'extractFromVariable', check: 'required', severity: 'error', when: dynamic },
    { field: 'jsonPathRuleForTitleExtractor', check: 'required', severity: 'error', when: dynamic },
    {
      field: 'data.options',
      check: 'atLeastOne',
      severity: 'warning',
      when: { ...choice, isPromptDynamic: [false] },
    },
    {
      field: 'data.options.label',
      check: 'required',
      severity: 'warning',
      when: { ...choice, isPromptDynamic: [false] },
    },
  ],
})
