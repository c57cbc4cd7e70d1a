import { type Sketch, sketch } from '#runtime/sample/sketch.ts'
import { type IdOf, type Plan, type SampleStep, sampleStep } from '../plan.ts'
import { botDeeds, personDeeds } from './bot.ts'
import { energyTests } from './tests.ts'

const { start, mark, say, ask, branch, call, set, handler, script, media, task, end, agent } = sketch

const MASK = `function run(codigo) {
  return codigo.replace(/(\\d{5})(\\d{5})/g, '$1.$2 ').trim()
}`

/** The second copy of an energy bill. */
const energyInvoice: Sketch = [
  {
    key: 'identifica',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Segunda via da conta'),
      ask('Instalação', 'Qual é o número da <b>instalação</b>? Ele fica no alto da conta, à direita.', 'instalacao', {
        kind: 'number',
        retry: 'O número da instalação tem 9 dígitos.',
      }),
      handler('Confere o dígito', 'energia/confere-instalacao', ['instalacao']),
      call('Contas em aberto', 'get', 'https://api.ventania.example/instalacoes/{{instalacao}}/contas', {
        result: 'contas',
      }),
      branch(
        'Quantas contas?',
        [
          { label: 'Nenhuma', variable: 'contas.total', values: ['0'], to: 'em-dia' },
          { label: 'Uma só', variable: 'contas.total', values: ['1'], to: 'envia' },
        ],
        'escolhe',
      ),
    ],
  },
  {
    key: 'em-dia',
    column: 0,
    row: 7,
    pieces: [
      mark('Conta em dia'),
      say('Tudo pago', 'Boa notícia: não há nenhuma conta em aberto na instalação {{instalacao}}. ✅', 'mais'),
    ],
  },
  {
    key: 'envia',
    column: 1,
    row: 7,
    pieces: [
      mark('Envia a conta'),
      call('Gera a segunda via', 'post', 'https://api.ventania.example/instalacoes/{{instalacao}}/segunda-via', {
        input: { formato: 'pdf', conta: '{{conta}}' },
        result: 'segunda_via',
      }),
      script('Linha digitável com pontos', MASK, ['segunda_via.codigo'], 'linha_digitavel'),
      say(
        'Valor e vencimento',
        'Conta de {{segunda_via.mes}}: R$ {{segunda_via.total}}, vence em {{segunda_via.vence}}.',
      ),
      ask('Como quer pagar', 'Como você prefere pagar?', 'forma_pagamento', {
        options: ['Pix', 'Código de barras', 'Conta em PDF'],
        style: 'button',
      }),
      branch('Forma', [
        { label: 'Pix', variable: 'forma_pagamento', to: 'pix' },
        { label: 'PDF', variable: 'forma_pagamento', values: ['Conta em PDF'], to: 'pdf' },
      ]),
      say('Código de barras', '{{linha_digitavel}}\nCopie e cole no aplicativo do seu banco.', 'mais'),
    ],
  },
  {
    key: 'escolhe',
    column: 2,
    row: 7,
    pieces: [
      mark('Escolhe a conta'),
      ask('Qual conta', 'Você tem {{contas.total}} contas em aberto. Qual delas?', 'conta', {
        options: ['A mais antiga', 'A mais recente', 'Todas juntas'],
        style: 'list',
      }),
      branch('Todas?', [{ label: 'Todas', variable: 'conta', values: ['Todas juntas'], to: 'acordo' }], 'envia'),
    ],
  },
  {
    key: 'pix',
    column: 0,
    row: 15,
    pieces: [
      mark('Pix'),
      media('QR Code da conta', {
        text: 'Pague em qualquer banco',
        uri: 'https://midia.ventania.example/pix/{{segunda_via.numero}}.png',
        buttons: ['Já paguei'],
      }),
      say('Copia e cola', 'Ou copie este código:\n{{segunda_via.pix}}', 'mais'),
    ],
  },
  {
    key: 'pdf',
    column: 1,
    row: 15,
    pieces: [mark('PDF'), say('Conta em PDF', 'Aqui está a sua conta: {{segunda_via.pdf}} 📄', 'mais')],
  },
  {
    key: 'excecoes',
    column: 0,
    row: 19,
    pieces: [
      mark('Exceções'),
      set('Conta a tentativa', { tentativas: '{{tentativas + 1}}' }),
      say('Não entendi', 'Não entendi. Vamos do começo?', 'identifica'),
    ],
  },
  {
    key: 'erro',
    column: 1,
    row: 19,
    pieces: [
      mark('Sistema fora'),
      say('Instabilidade', 'O sistema de contas está fora do ar. Tente em 10 minutos.', 'mais'),
    ],
  },
  {
    key: 'mais',
    column: 2,
    row: 19,
    pieces: [
      mark('Mais alguma coisa'),
      ask('Ajuda em algo mais', 'Posso ajudar em mais alguma coisa?', 'continuar', {
        options: ['Falta de energia', 'Não, obrigado'],
        style: 'button',
        giveup: 'fim',
      }),
      branch('Continua?', [{ label: 'Falta de energia', variable: 'continuar', to: 'falta' }], 'fim'),
    ],
  },
  {
    key: 'falta',
    column: 1,
    row: 23,
    pieces: [mark('Falta de energia'), task('Vai para falta de energia', 'energia/rede')],
  },
  { key: 'fim', column: 2, row: 23, pieces: [end()] },
  {
    key: 'acordo',
    column: 2,
    row: 11,
    pieces: [
      mark('Parcelamento'),
      say('Oferta', 'Dá para juntar tudo em até <b>6 vezes</b> na própria conta, sem juros.'),
      ask('Quer parcelar', 'Quer falar com alguém sobre o parcelamento?', 'parcelar', {
        options: ['Quero', 'Agora não'],
        style: 'button',
      }),
      branch('Parcelar?', [{ label: 'Agora não', variable: 'parcelar', to: 'mais' }]),
      agent('Chama a negociação', 'negociacao', 'Posso chamar alguém da negociação?'),
      say('Depois do atendimento', 'O acordo chega no seu e-mail.', 'mais'),
    ],
  },
]

/** Reports that there is no power. */
const energyOutage: Sketch = [
  {
    key: 'relato',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Falta de energia'),
      ask('Instalação', 'Qual é o número da instalação sem energia?', 'instalacao', { kind: 'number' }),
      call('Ocorrências na região', 'get', 'https://api.ventania.example/rede/{{instalacao}}', { result: 'rede' }),
      branch('Já sabemos?', [{ label: 'Conhecida', variable: 'rede', is: 'isNotNull', values: [], to: 'conhecida' }]),
      ask('É só na sua casa', 'A falta é só na sua casa ou na rua toda?', 'alcance', {
        options: ['Só na minha', 'Na rua toda'],
        style: 'button',
      }),
      call('Abre o chamado', 'post', 'https://api.ventania.example/chamados', {
        input: { instalacao: '{{instalacao}}', alcance: '{{alcance}}' },
        result: 'chamado',
      }),
      say('Chamado aberto', 'Chamado {{chamado.protocolo}} aberto. Uma equipe sai em até 2 horas. 🔧', 'fim'),
    ],
  },
  {
    key: 'conhecida',
    column: 2,
    row: 6,
    pieces: [
      mark('Ocorrência conhecida'),
      say('Previsão', 'Já estamos na sua região. A energia deve voltar até {{rede.previsao}}.', 'fim'),
    ],
  },
  {
    key: 'excecoes',
    column: 0,
    row: 6,
    pieces: [mark('Sem resposta'), say('Plantão', 'Se preferir, ligue para o plantão: 0800 000 0196.', 'fim')],
  },
  {
    key: 'erro',
    column: 0,
    row: 9,
    pieces: [mark('Erro'), say('Instabilidade', 'O sistema está instável. Ligue para o plantão, por favor.', 'fim')],
  },
  { key: 'fim', column: 2, row: 9, pieces: [end()] },
]

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

const wishes = (id: IdOf): readonly SampleStep[] =>
  personDeeds(id, {
    key: 'energia',
    by: 'otavio.lemos',
    when: [3, '15:04'],
    answers: {
      pt: 'Para falar com uma pessoa, ligue para o plantão: 0800 000 0196, a qualquer hora.',
      en: 'To talk to a person, call our hotline at any hour: 0800 000 0196.',
      es: 'Para hablar con una persona, llame a la guardia a cualquier hora: 0800 000 0196.',
    },
  })

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
    ...[...wishes(id), ...PUBLISHES],
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
