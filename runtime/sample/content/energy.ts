import { type IdOf, type Plan, type SampleStep, sampleStep } from '../plan.ts'
import { botDeeds } from './bot.ts'
import { energyInvoice, energyOutage } from './energy-flow.ts'
import { energyTests } from './tests.ts'

const CHECK = `/** Nove dígitos, o último confere os outros (módulo 11). */
function run(instalacao) {
  const numeros = String(instalacao).replace(/\\D/g, '')
  if (numeros.length !== 9) return false
  const soma = [...numeros.slice(0, 8)].reduce((total, n, i) => total + Number(n) * (9 - i), 0)
  return (soma * 10) % 11 % 10 === Number(numeros[8])
}`

const BILL = {
  type: 'object',
  properties: {
    mes: { type: 'string' },
    valor: { type: 'number', minimum: 0 },
    vencimento: { type: 'string', format: 'date' },
    codigo: { type: 'string' },
    numero: { type: 'string' },
    total: { type: 'string' },
    vence: { type: 'string' },
    pix: { type: 'string' },
    pdf: { type: 'string' },
  },
}

const PUBLISHES = [
  sampleStep([3, '10:40'], 'otavio.lemos', 'dialog', 'publish', 'energia/falta'),
  sampleStep([3, '15:05'], 'otavio.lemos', 'handler', 'publish', 'energia/confere-instalacao'),
  sampleStep([3, '15:08'], 'otavio.lemos', 'dialog', 'publish', 'energia/segunda-via'),
  sampleStep([1, '13:26'], 'camila.rocha', 'dialog', 'publish', 'energia/segunda-via'),
  sampleStep([1, '13:27'], 'camila.rocha', 'dialog', 'publish', 'energia/falta'),
]

/** A dialog is removed by mistake and brought back. */
const mishap = (id: IdOf): readonly SampleStep[] => [
  sampleStep([2, '13:19'], 'otavio.lemos', 'dialogtask', 'change', 'energia/rede', { principaldialog: null }),
  sampleStep([2, '13:20'], 'otavio.lemos', 'dialog', 'remove', 'energia/falta', { confirm: 'CONFIRM' }),
  sampleStep([2, '13:41'], 'camila.rocha', 'dialog', 'restore', 'energia/falta'),
  sampleStep([2, '13:44'], 'camila.rocha', 'dialogtask', 'change', 'energia/rede', {
    principaldialog: id('dialog', 'energia/falta'),
    description: 'Chamados e previsão de volta da energia',
  }),
]

/** The power company's bot: second copies of bills, and outages. */
export const energy = (id: IdOf): Plan => ({
  bot: 'energia',
  releases: [
    [3, '15:09'],
    [1, '13:28'],
  ],
  deeds: [
    ...botDeeds(id, {
      key: 'energia',
      level: 'ventania',
      by: 'otavio.lemos',
      when: [5, '13:35'],
      fields: {
        name: 'Ventania Responde',
        description: 'Segunda via da conta de luz e falta de energia.',
        customer: 'Ventania Energia',
        industry: 'Energia',
        segment: 'Serviços públicos',
        deploymentenv: 'production',
        defaultlocale: 'pt',
      },
      tasks: {
        'energia/conta': {
          name: 'Conta de luz',
          description: 'Segunda via e parcelamento',
          utterences: ['segunda via', 'minha conta', 'quero pagar'],
          main: 'energia/segunda-via',
          dialogs: { 'energia/segunda-via': ['Segunda via', 'Pix, código de barras ou PDF'] },
          handlers: { 'energia/confere-instalacao': ['Confere instalação', 'Dígito da instalação'] },
        },
        'energia/rede': {
          name: 'Falta de energia',
          description: 'Chamados e previsão de volta',
          utterences: ['estou sem luz', 'caiu a energia'],
          main: 'energia/falta',
          dialogs: { 'energia/falta': ['Falta de energia', 'Abre chamado ou diz a previsão'] },
          handlers: {},
        },
      },
      variables: [
        ['instalacao', 'number', 'user'],
        ['contas', 'object'],
        ['conta', 'string'],
        ['segunda_via', 'object'],
        ['forma_pagamento', 'string', 'dialog'],
        ['tentativas', 'number', 'dialog'],
        ['linha_digitavel', 'string'],
        ['parcelar', 'string', 'dialog'],
        ['continuar', 'string', 'dialog'],
        ['rede', 'object'],
        ['alcance', 'string', 'dialog'],
        ['chamado', 'object'],
        ['erro_integracao', 'object', 'dialog'],
      ],
      schemas: { segunda_via: BILL },
    }),
    sampleStep([4, '16:58'], 'otavio.lemos', 'bot', 'change', 'energia', {
      defaultdialogtask: id('dialogtask', 'energia/conta'),
    }),
    sampleStep([4, '17:02'], 'otavio.lemos', 'bot', 'start', 'energia'),
    ...PUBLISHES,
    ...mishap(id),
    sampleStep([1, '13:30'], 'camila.rocha', 'version', 'create', 'energia/0.9', {
      bot: id('bot', 'energia'),
      name: '1.1 · Parcelamento',
      description: 'Quem tem várias contas junta tudo e parcela.',
    }),
    ...energyTests(id),
    sampleStep([1, '13:36'], 'camila.rocha', 'variable', 'remove', 'energia/alcance'),
    sampleStep([1, '13:38'], 'camila.rocha', 'variable', 'restore', 'energia/alcance'),
  ],
  drawn: [
    {
      key: 'energia/segunda-via',
      remarks: [
        {
          note: 'Falta decidir',
          text: 'O banco ainda não confirmou o prazo do Pix parcelado. Até lá, só à vista.',
          tint: 'red',
          column: 0,
          row: 2,
        },
        { around: 'acordo', title: 'Parcelamento · em revisão', tint: 'red' },
      ],
      sketch: energyInvoice,
      pace: 2,
      sittings: [
        { when: [5, '16:10'], by: ['otavio.lemos'] },
        { when: [4, '15:10'], by: ['otavio.lemos', 'rafael.teixeira'] },
        { when: [3, '12:10'], by: ['camila.rocha', 'otavio.lemos'] },
        { when: [1, '11:05'], by: ['camila.rocha'] },
      ],
    },
    {
      key: 'energia/falta',
      sketch: energyOutage,
      pace: 1,
      sittings: [
        { when: [4, '10:12'], by: ['otavio.lemos'] },
        { when: [3, '10:15'], by: ['otavio.lemos'] },
      ],
    },
  ],
  written: [{ key: 'energia/confere-instalacao', drafts: [{ when: [4, '11:20'], by: 'otavio.lemos', code: CHECK }] }],
})
