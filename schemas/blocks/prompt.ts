import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { promptFields } from './prompt-fields.ts'

export const prompt = defineBlock({
  type: 'prompt',
  category: 'interaction',
  icon: 'MessageCircleQuestionMark',
  outputs: ['output_1', 'output_giveup'],
  fields: {
    data: f.group({
      type: f.enumeration(['text', 'number', 'time', 'confirm', 'choice', 'location', 'attachment']),
      text: f.rich(),
      options: f.list({ label: f.string(), value: f.string() }, { bare: 'label' }),
      config: f.group({ listStyle: f.enumeration(['auto', 'button', 'inline', 'list']) }),
      validationType: f.enumeration(
        [
          'none',
          'Email',
          'MobilePhone',
          'URL',
          'Alpha',
          'AlphaNumeric',
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
        ],
        { tab: 'answer' },
      ),
      dateExtractType: f.enumeration(['date', 'time', 'datetime', 'day', 'month', 'year'], { tab: 'answer' }),
      textStyle: f.enumeration(['password'], { tab: 'answer', initial: '' }),
    }),
    ...promptFields,
    isPromptDynamic: f.switch(false, { tab: 'rules' }),
    extractFromVariable: f.reference('variable', { tab: 'rules' }),
    jsonPathRuleForTitleExtractor: f.expression({ tab: 'rules', language: 'jsonpath' }),
    jsonPathRuleForValueExtractor: f.expression({ tab: 'rules', language: 'jsonpath' }),
  },
})
