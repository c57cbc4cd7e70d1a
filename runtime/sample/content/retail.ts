import { type IdOf, type Plan, type SampleStep, sampleStep } from '../plan.ts'
import { type Sketch, sketch } from '../sketch.ts'
import { botDeeds, personDeeds, talkDeeds } from './bot.ts'
import { retailMenu } from './retail-menu.ts'
import { retailTests } from './tests.ts'

const { start, mark, say, ask, branch, call, set, end } = sketch

/** Flow of the satisfaction survey. */
const retailReview: Sketch = [
  {
    key: 'avaliacao',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Avaliação'),
      ask('Nota', 'De 0 a 10, quanto você recomendaria a Casa Lume a um amigo?', 'nota', {
        kind: 'number',
        retry: 'Responda com um número de 0 a 10, por favor.',
        giveup: 'obrigada',
      }),
      branch(
        'Faixa da nota',
        [
          { label: 'Detratores', variable: 'nota', is: 'lessOrEqual', values: ['6'], to: 'melhorar' },
          { label: 'Promotores', variable: 'nota', is: 'greaterOrEqual', values: ['9'], to: 'indicar' },
        ],
        'obrigada',
      ),
    ],
  },
  {
    key: 'melhorar',
    column: 0,
    row: 5,
    pieces: [
      mark('O que melhorar'),
      ask('Motivo da nota', 'O que a gente podia ter feito melhor?', 'motivo_nota', { giveup: 'obrigada' }),
      set('Marca para retorno', { retornar: '{{true}}' }),
      say('Retorno', 'Obrigada por contar. Alguém da equipe liga para você amanhã.', 'obrigada'),
    ],
  },
  {
    key: 'indicar',
    column: 2,
    row: 5,
    pieces: [
      mark('Indique um amigo'),
      say(
        'Cupom de indicação',
        'Que alegria! 💛 Dê o cupom <b>AMIGO15</b> a quem você gosta: os dois ganham 15%.',
        'obrigada',
      ),
    ],
  },
  {
    key: 'obrigada',
    column: 1,
    row: 10,
    pieces: [
      mark('Obrigada'),
      call('Grava a avaliação', 'post', 'https://api.casalume.example/avaliacoes', {
        input: { nota: '{{nota}}', motivo: '{{motivo_nota}}' },
        result: 'avaliacao',
        fails: 'fim',
      }),
      say('Agradecimento', 'Obrigada pelo seu tempo, {{cliente.nome}}!', 'fim'),
    ],
  },
  { key: 'fim', column: 1, row: 14, pieces: [end()] },
]

const DEADLINE = `/** A data da entrega como as pessoas falam: hoje, amanhã, sexta-feira, 14 de março. */
function run(previsao) {
  const dia = new Date(previsao)
  // O dia em São Paulo, três horas atrás de UTC.
  const hoje = new Date(Date.now() - 3 * 3600000).toISOString().slice(0, 10)
  const faltam = (dia - new Date(hoje)) / 86400000
  if (faltam <= 0) return 'hoje'
  if (faltam === 1) return 'amanhã'
  if (faltam < 7) return ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'][dia.getUTCDay()]
  const meses = 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')
  return 'em ' + dia.getUTCDate() + ' de ' + meses[dia.getUTCMonth()]
}`

const LOGGED = `/** Guarda o erro sem dados da pessoa. */
function run(erro) {
  return { codigo: erro.status ?? 0, momento: new Date().toISOString() }
}`

const ORDER = {
  type: 'object',
  properties: {
    numero: { type: 'string', pattern: '^CL[0-9]{6}$' },
    situacao: { enum: ['separando', 'a caminho', 'atrasado', 'entregue'] },
    previsao: { type: 'string', format: 'date' },
    transportadora: { type: 'string' },
    entregue_em: { type: 'string' },
    recebedor: { type: 'string' },
    itens: { type: 'array', items: { type: 'object' } },
  },
}

const PUBLISHES = [
  sampleStep([3, '16:10'], 'camila.rocha', 'handler', 'publish', 'varejo/prazo'),
  sampleStep([3, '16:11'], 'camila.rocha', 'handler', 'publish', 'varejo/registra-erro'),
  sampleStep([3, '16:14'], 'camila.rocha', 'dialog', 'publish', 'varejo/menu'),
  sampleStep([1, '15:30'], 'camila.rocha', 'dialog', 'publish', 'varejo/avaliacao'),
  sampleStep([1, '15:33'], 'camila.rocha', 'dialog', 'publish', 'varejo/menu'),
]

/** Comments on its blocks. */
const talks = (id: IdOf): readonly SampleStep[] =>
  talkDeeds(id, {
    dialog: 'varejo/menu',
    block: 'boas-vindas-5',
    said: [
      {
        when: [1, '15:50'],
        by: 'diego.amaral',
        text: 'Camila, na Black Friday a saudação muda. Você escreve ou mando pronta?',
      },
      { when: [1, '15:58'], by: 'camila.rocha', text: 'Manda até quarta que eu ponho no ar na quinta.' },
    ],
  })

/** The menu of the chat offers a person at any hour. */
const IN_MENU = { agentenabled: true, connecttoagentinmenu: true, restartconversationinmenu: true }

/** In the menu of the chat, the name of the task would promise a person. */
const SERVICE = { description: 'Tudo o que um cliente pode pedir', showinmenu: false }

const wishes = (id: IdOf): readonly SampleStep[] =>
  personDeeds(id, {
    key: 'varejo',
    by: 'camila.rocha',
    when: [3, '16:15'],
    answers: {
      pt: 'Claro! Escolha <b>💬 Falar com a gente</b> no menu, e alguém da equipe continua com você.',
      en: 'Of course! Choose <b>💬 Falar com a gente</b> in the menu, and one of us takes over.',
      es: '¡Claro! Elija <b>💬 Falar com a gente</b> en el menú, y alguien del equipo sigue con usted.',
    },
  })

/** The furniture shop's bot: orders, exchanges, payments. */
export const retail = (id: IdOf): Plan => ({
  bot: 'varejo',
  releases: [
    [2, '15:25'],
    [1, '15:34'],
  ],
  deeds: [
    ...botDeeds(id, {
      key: 'varejo',
      level: 'loja-virtual',
      by: 'camila.rocha',
      when: [5, '11:02'],
      fields: {
        name: 'Lume · Casa Lume',
        description: 'Acompanha pedidos, trocas, devoluções e pagamentos da loja virtual.',
        customer: 'Rede Casa Lume',
        industry: 'Varejo',
        segment: 'Casa e decoração',
        deploymentenv: 'production',
        minservicesneeded: 2,
        defaultlocale: 'pt',
        ...IN_MENU,
      },
      tasks: {
        'varejo/atendimento': {
          name: 'Atendimento',
          ...SERVICE,
          utterences: ['cadê meu pedido', 'quero trocar', 'segunda via do boleto', 'falar com atendente'],
          main: 'varejo/menu',
          dialogs: { 'varejo/menu': ['Menu principal', 'Pedidos, trocas, pagamento, lojas e atendimento'] },
          handlers: {
            'varejo/prazo': ['Prazo por extenso', 'Data de entrega em palavras'],
            'varejo/registra-erro': ['Registra erro', 'Guarda erros de integração', true],
          },
        },
        'varejo/pos-venda': {
          name: 'Pós-venda',
          description: 'Avaliação e indicação',
          utterences: ['quero avaliar'],
          showinmenu: false,
          main: 'varejo/avaliacao',
          dialogs: { 'varejo/avaliacao': ['Avaliação', 'Nota de 0 a 10 e o motivo'] },
          handlers: {},
        },
      },
      variables: [
        ['cpf', 'string', 'user'],
        ['email', 'string', 'user'],
        ['pedido', 'string'],
        ['dados_pedido', 'object'],
        ['opcao_menu', 'string', 'dialog'],
        ['motivo', 'string', 'dialog'],
        ['nota', 'number'],
        ['tentativas', 'number', 'dialog'],
        ['telefone', 'string', 'user'],
        ['cep', 'string', 'user'],
        ['cliente', 'object', 'user'],
        ['canal', 'string'],
        ['origem', 'string'],
        ['recebido', 'string', 'dialog'],
        ['ocorrencia', 'object'],
        ['protocolo', 'string'],
        ['oferecer_cupom', 'boolean'],
        ['decisao', 'string', 'dialog'],
        ['buscar_cpf', 'string', 'dialog'],
        ['prazo_troca', 'object'],
        ['preferencia', 'string', 'dialog'],
        ['etiqueta', 'object'],
        ['codigo_postagem', 'string'],
        ['forma_reembolso', 'string', 'dialog'],
        ['reembolso', 'object'],
        ['chave_pix', 'string'],
        ['titular_pix', 'string'],
        ['usar_garantia', 'string', 'dialog'],
        ['assunto_pagamento', 'string', 'dialog'],
        ['outro_pagamento', 'string', 'dialog'],
        ['pix', 'object'],
        ['boleto', 'object'],
        ['produto_escolhido', 'string'],
        ['estoque', 'object'],
        ['interesse', 'object'],
        ['lojas', 'array'],
        ['resumo', 'string'],
        ['fila', 'string'],
        ['prioridade', 'string'],
        ['recado', 'string'],
        ['recado_salvo', 'object'],
        ['continuar', 'string', 'dialog'],
        ['erro_integracao', 'object', 'dialog'],
        ['motivo_nota', 'string'],
        ['retornar', 'boolean'],
        ['avaliacao', 'object'],
      ],
      schemas: { dados_pedido: ORDER },
    }),
    sampleStep([4, '16:40'], 'camila.rocha', 'variable', 'change', 'varejo/nota', { scope: 'user' }),
    ...[...wishes(id), ...PUBLISHES],
    sampleStep([3, '16:20'], 'camila.rocha', 'version', 'create', 'varejo/1.0', {
      bot: id('bot', 'varejo'),
      name: '1.0 · Primeira leva',
      description: 'Rastreio e trocas, antes da Black Friday.',
    }),
    sampleStep([3, '16:32'], 'camila.rocha', 'bot', 'change', 'varejo', {
      defaultdialogtask: id('dialogtask', 'varejo/atendimento'),
      on_return_from_agent_execute_task: id('dialogtask', 'varejo/pos-venda'),
    }),
    sampleStep([2, '15:20'], 'diego.amaral', 'bot', 'change', 'varejo', {
      description: 'Acompanha pedidos, trocas, devoluções e pagamentos da loja virtual. Campanha de fim de ano ligada.',
    }),
    sampleStep([2, '15:24'], 'diego.amaral', 'bot', 'start', 'varejo'),
    sampleStep([1, '15:36'], 'camila.rocha', 'version', 'create', 'varejo/1.1', {
      bot: id('bot', 'varejo'),
      name: '1.1 · Pagamento e lojas',
      description: 'Pix, segunda via do boleto e a loja mais próxima.',
    }),
    ...retailTests(id),
    ...talks(id),
  ],
  drawn: [
    {
      key: 'varejo/menu',
      remarks: [
        {
          note: 'Como ler este fluxo',
          text: 'Cada coluna é um assunto do menu, com o mesmo número. O que for comum fica em <b>Exceções</b> e <b>Despedida</b>.',
          tint: 'yellow',
          column: 2,
          row: 1,
        },
        { around: 'novidades', title: 'Vitrine · muda toda segunda-feira', tint: 'green' },
        { around: 'atendente', title: 'Só em horário comercial', tint: 'grey' },
      ],
      sketch: retailMenu,
      pace: 8,
      sittings: [
        { when: [5, '15:02'], by: ['camila.rocha'] },
        { when: [4, '10:05'], by: ['camila.rocha', 'rafael.teixeira'] },
        { when: [3, '09:50'], by: ['rafael.teixeira'] },
        { when: [3, '14:20'], by: ['rafael.teixeira', 'camila.rocha'] },
        { when: [1, '14:05'], by: ['camila.rocha', 'rafael.teixeira'] },
      ],
      mishap: { when: [1, '17:20'], by: 'rafael.teixeira', section: 'novidades' },
    },
    {
      key: 'varejo/avaliacao',
      sketch: retailReview,
      pace: 1,
      sittings: [
        { when: [4, '16:05'], by: ['rafael.teixeira'] },
        { when: [1, '11:25'], by: ['camila.rocha'] },
      ],
    },
  ],
  written: [
    {
      key: 'varejo/prazo',
      drafts: [
        { when: [4, '11:40'], by: 'rafael.teixeira', code: 'function run(previsao) {\n  return previsao\n}' },
        { when: [3, '11:15'], by: 'rafael.teixeira', code: DEADLINE },
      ],
    },
    { key: 'varejo/registra-erro', drafts: [{ when: [3, '11:40'], by: 'camila.rocha', code: LOGGED }] },
  ],
})
