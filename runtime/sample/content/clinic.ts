import { type Sketch, sketch } from '#runtime/sample/sketch.ts'
import { type IdOf, type Plan, type SampleStep, sampleStep } from '../plan.ts'
import { botDeeds, talkDeeds } from './bot.ts'
import { clinicBooking } from './clinic-booking.ts'
import { CLINIC_TRAININGS, clinicNlu } from './clinic-nlu.ts'
import { clinicTests } from './tests.ts'

const { start, mark, say, ask, branch, call, set, task, end } = sketch

/** Greets people and shows them where to go. */
const clinicWelcome: Sketch = [
  {
    key: 'entrada',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Recepção'),
      say('Saudação', 'Olá! Aqui é a <b>Clara</b>, assistente da Secretaria de Saúde de Vale Claro. 👋'),
      ask('O que precisa', 'Como posso ajudar?', 'assunto', {
        options: ['Marcar consulta', 'Remarcar ou cancelar', 'Resultado de exame', 'É uma urgência'],
        style: 'list',
      }),
      branch(
        'Para onde vai',
        [
          { label: 'Marcar', variable: 'assunto', values: ['Marcar consulta'], to: 'marcar' },
          { label: 'Remarcar', variable: 'assunto', values: ['Remarcar ou cancelar'], to: 'remarcar' },
          { label: 'Exame', variable: 'assunto', values: ['Resultado de exame'], to: 'exame' },
          { label: 'Urgência', variable: 'assunto', values: ['É uma urgência'], to: 'urgencia' },
        ],
        'excecoes',
      ),
    ],
  },
  {
    key: 'marcar',
    column: 0,
    row: 6,
    pieces: [mark('Marcar'), task('Vai para agendamento', 'saude/agendamento')],
  },
  {
    key: 'remarcar',
    column: 1,
    row: 6,
    pieces: [mark('Remarcar'), task('Vai para remarcação', 'saude/remarcacao')],
  },
  {
    key: 'exame',
    column: 2,
    row: 6,
    pieces: [
      mark('Exames'),
      say('Onde ver o exame', 'Resultados ficam em <b>saude.valeclaro.example</b>, com o código da coleta.', 'fim'),
    ],
  },
  {
    key: 'urgencia',
    column: 3,
    row: 6,
    pieces: [
      mark('Urgência'),
      say('SAMU', 'Em caso de urgência, ligue <b>192</b> ou vá direto à UPA Central, aberta 24 horas. 🚑', 'fim'),
    ],
  },
  {
    key: 'excecoes',
    column: 2,
    row: 10,
    pieces: [
      mark('Exceções'),
      set('Conta a tentativa', { tentativas: '{{tentativas + 1}}' }),
      say('Não entendi', 'Desculpe, não entendi. Escolha uma das opções, por favor.', 'entrada'),
    ],
  },
  { key: 'fim', column: 3, row: 10, pieces: [end()] },
]

/** Moves or cancels an appointment. */
const clinicRebooking: Sketch = [
  {
    key: 'busca',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Remarcar ou cancelar'),
      ask(
        'Código da consulta',
        'Qual é o código da consulta? Ele está na mensagem de confirmação.',
        'codigo_consulta',
        {
          validation: 'AlphaNumeric',
        },
      ),
      call('Busca a consulta', 'get', '{{endereco_prontuario}}/consultas/{{codigo_consulta}}', { result: 'consulta' }),
      ask(
        'Remarcar ou cancelar',
        'Você quer remarcar ou cancelar {{consulta.especialidade}}, {{consulta.horario}}?',
        'acao',
        {
          options: ['Remarcar', 'Cancelar'],
          style: 'button',
        },
      ),
      branch('O que fazer', [{ label: 'Cancelar', variable: 'acao', to: 'cancelar' }], 'remarcar'),
    ],
  },
  {
    key: 'remarcar',
    column: 0,
    row: 7,
    pieces: [
      mark('Remarcar'),
      call('Outros horários', 'get', '{{endereco_prontuario}}/agenda?especialidade={{consulta.especialidade}}', {
        result: 'horarios',
      }),
      ask('Novo horário', 'Qual destes horários fica melhor?', 'horario', {
        options: ['Quinta, 9h00', 'Sexta, 10h20', 'Segunda, 7h40'],
        style: 'list',
      }),
      call('Troca o horário', 'put', '{{endereco_prontuario}}/consultas/{{codigo_consulta}}', {
        input: { horario: '{{horario}}' },
        result: 'consulta',
      }),
      say('Remarcada', 'Consulta remarcada para {{horario}}.', 'fim'),
    ],
  },
  {
    key: 'cancelar',
    column: 2,
    row: 7,
    pieces: [
      mark('Cancelar'),
      call('Cancela a consulta', 'delete', '{{endereco_prontuario}}/consultas/{{codigo_consulta}}', {
        result: 'cancelamento',
      }),
      say('Cancelada', 'Consulta cancelada. A vaga vai para quem está na lista de espera. Obrigada por avisar!', 'fim'),
    ],
  },
  {
    key: 'excecoes',
    column: 2,
    row: 11,
    pieces: [mark('Sem resposta'), task('Volta à recepção', 'saude/recepcao')],
  },
  {
    key: 'erro',
    column: 1,
    row: 13,
    pieces: [
      mark('Erro'),
      say('Instabilidade', 'Não consegui falar com o prontuário. Tente de novo mais tarde.', 'fim'),
    ],
  },
  { key: 'fim', column: 0, row: 13, pieces: [end()] },
]

const DRAFT = `function run(documento) {
  return documento.replace(/\\D/g, '')
}`

const CHECKED = `/** CPF ou Cartão SUS só com números; vazio quando não é nenhum dos dois. */
function run(documento) {
  const numeros = documento.replace(/\\D/g, '')
  if (numeros.length === 15) return numeros
  return numeros.length === 11 && digitosConferem(numeros) ? numeros : ''
}

function digitosConferem(cpf) {
  return [9, 10].every(tamanho => {
    let soma = 0
    for (let i = 0; i < tamanho; i++) soma += Number(cpf[i]) * (tamanho + 1 - i)
    return ((soma * 10) % 11) % 10 === Number(cpf[tamanho])
  })
}`

const PATIENT = {
  type: 'object',
  properties: {
    nome: { type: 'string' },
    nascimento: { type: 'string', format: 'date' },
    unidade: { type: 'string' },
  },
  required: ['nome', 'unidade'],
}

const VARIABLES: readonly (readonly [name: string, datatype: string, scope?: string])[] = [
  ['documento', 'string', 'user'],
  ['paciente', 'object'],
  ['unidade', 'string'],
  ['especialidade', 'string'],
  ['horario', 'string'],
  ['horarios', 'array'],
  ['codigo_consulta', 'string'],
  ['tentativas', 'number', 'dialog'],
  ['assunto', 'string', 'dialog'],
  ['cep', 'string', 'user'],
  ['confirma', 'string', 'dialog'],
  ['consulta', 'object'],
  ['lembrar', 'boolean'],
  ['lista', 'string', 'dialog'],
  ['espera', 'object'],
  ['acao', 'string', 'dialog'],
  ['cancelamento', 'object'],
  ['erro_integracao', 'object', 'dialog'],
]

const PUBLISHES = [
  sampleStep([3, '10:02'], 'joana.siqueira', 'dialogtask', 'publishall', 'saude/agendamento'),
  sampleStep([3, '10:05'], 'joana.siqueira', 'dialog', 'publish', 'saude/boas-vindas'),
  sampleStep([3, '10:06'], 'joana.siqueira', 'dialog', 'publish', 'saude/remarcar'),
  sampleStep([2, '17:05'], 'joana.siqueira', 'dialog', 'publish', 'saude/marcar'),
  sampleStep([1, '17:12'], 'joana.siqueira', 'dialog', 'publish', 'saude/remarcar'),
]

/** Comments on its blocks. */
const talks = (id: IdOf): readonly SampleStep[] => [
  ...talkDeeds(id, {
    dialog: 'saude/marcar',
    block: 'especialidade-2',
    said: [
      {
        when: [1, '10:20'],
        by: 'joana.siqueira',
        text: 'Camila, a lista de especialidades vem do prontuário ou fica fixa aqui?',
      },
      { when: [1, '10:34'], by: 'camila.rocha', text: 'Fixa até a próxima versão. Depois vem do prontuário.' },
    ],
  }),
  ...talkDeeds(id, {
    dialog: 'saude/marcar',
    block: 'inicio-6',
    said: [
      {
        when: [1, '11:05'],
        by: 'rafael.teixeira',
        text: 'O prontuário demorava 8 segundos. Agora responde em menos de 2.',
      },
    ],
    settled: { when: [1, '11:12'], by: 'joana.siqueira' },
  }),
]

/** The health department's bot: appointments at the health posts. */
export const clinic = (id: IdOf): Plan => ({
  bot: 'saude',
  releases: [
    [3, '10:31'],
    [2, '17:06'],
    [1, '17:20'],
    [0, '16:50'],
  ],
  trainings: CLINIC_TRAININGS,
  deeds: [
    ...botDeeds(id, {
      key: 'saude',
      level: 'saude',
      by: 'joana.siqueira',
      when: [5, '10:20'],
      fields: {
        name: 'Clara · Saúde de Vale Claro',
        description: 'Marca, remarca e cancela consultas nas unidades básicas de saúde.',
        customer: 'Prefeitura de Vale Claro',
        industry: 'Saúde',
        segment: 'Setor público',
        deploymentenv: 'production',
        defaultlocale: 'pt',
        restartconversationinmenu: true,
      },
      tasks: {
        'saude/recepcao': {
          name: 'Recepção',
          description: 'Recebe as pessoas e mostra o caminho',
          utterences: ['oi', 'bom dia', 'preciso de ajuda'],
          main: 'saude/boas-vindas',
          dialogs: { 'saude/boas-vindas': ['Boas-vindas', 'Saudação e menu'] },
          handlers: {},
        },
        'saude/agendamento': {
          name: 'Agendamento',
          description: 'Consultas e vacinas',
          utterences: ['marcar consulta', 'quero um médico'],
          main: 'saude/marcar',
          dialogs: {
            'saude/marcar': ['Marcar consulta', 'Da identificação à confirmação'],
          },
          handlers: { 'saude/confere-documento': ['Confere documento', 'CPF ou Cartão SUS'] },
        },
        'saude/remarcacao': {
          name: 'Remarcação',
          description: 'Troca ou cancela uma consulta marcada',
          utterences: ['remarcar', 'cancelar consulta', 'não posso ir'],
          main: 'saude/remarcar',
          dialogs: { 'saude/remarcar': ['Remarcar ou cancelar', 'A partir do código da consulta'] },
          handlers: {},
        },
      },
      variables: VARIABLES,
      schemas: { paciente: PATIENT },
    }),
    ...PUBLISHES,
    sampleStep([3, '10:11'], 'joana.siqueira', 'version', 'create', 'saude/1.0', {
      bot: id('bot', 'saude'),
      name: '1.0 · Estreia nas unidades',
      description: 'Agendamento nas doze unidades básicas.',
    }),
    sampleStep([3, '10:20'], 'joana.siqueira', 'bot', 'change', 'saude', {
      defaultdialogtask: id('dialogtask', 'saude/recepcao'),
      fallbacktask: id('dialogtask', 'saude/recepcao'),
    }),
    sampleStep([3, '10:30'], 'joana.siqueira', 'bot', 'start', 'saude'),
    sampleStep([2, '09:48'], 'joana.siqueira', 'dialogtask', 'change', 'saude/agendamento', {
      utterences: ['marcar consulta', 'quero um médico', 'tomar vacina'],
    }),
    sampleStep([1, '09:45'], 'joana.siqueira', 'bot', 'change', 'saude', { stepdelay: 1200 }),
    sampleStep([1, '09:47'], 'joana.siqueira', 'bot', 'restart', 'saude'),
    sampleStep([1, '17:15'], 'joana.siqueira', 'version', 'create', 'saude/1.1', {
      bot: id('bot', 'saude'),
      name: '1.1 · Lista de espera',
      description: 'Quem não acha vaga entra na lista e é avisado.',
    }),
    ...clinicNlu(id),
    ...clinicTests(id),
    ...talks(id),
  ],
  drawn: [
    {
      key: 'saude/boas-vindas',
      sketch: clinicWelcome,
      pace: 1,
      sittings: [{ when: [5, '10:45'], by: ['joana.siqueira'] }],
    },
    {
      key: 'saude/marcar',
      remarks: [
        {
          note: 'Antes de mexer aqui',
          text: 'A Secretaria pediu que o CPF nunca apareça na conversa.\nO prontuário só responde das <b>6h às 22h</b>.',
          tint: 'yellow',
          column: 0,
          row: 1,
        },
        { around: 'vacina', title: 'Campanha de vacinação', tint: 'green' },
        { around: 'espera', title: 'Lista de espera · novo na 1.1', tint: 'blue' },
      ],
      sketch: clinicBooking,
      pace: 2,
      sittings: [
        { when: [5, '14:10'], by: ['joana.siqueira', 'camila.rocha'] },
        { when: [4, '09:30'], by: ['joana.siqueira'] },
        { when: [2, '16:20'], by: ['camila.rocha', 'joana.siqueira'] },
      ],
      mishap: { when: [1, '16:02'], by: 'joana.siqueira', section: 'espera' },
    },
    {
      key: 'saude/remarcar',
      remarks: [
        {
          note: 'Combinado com a recepção',
          text: 'Quem cancela na véspera não perde a vez: volta para o começo da lista.',
          tint: 'blue',
          column: 2,
          row: 1,
        },
      ],
      sketch: clinicRebooking,
      pace: 1,
      sittings: [
        { when: [4, '14:05'], by: ['rafael.teixeira'] },
        { when: [1, '10:10'], by: ['rafael.teixeira', 'joana.siqueira'] },
      ],
    },
  ],
  written: [
    {
      key: 'saude/confere-documento',
      drafts: [
        { when: [5, '11:35'], by: 'joana.siqueira', code: DRAFT },
        { when: [4, '11:02'], by: 'rafael.teixeira', code: CHECKED },
      ],
    },
  ],
})
