import { type Sketch, sketch } from '../sketch.ts'

const { start, mark, say, ask, branch, call, set, task, end } = sketch

/** Greets people and shows them where to go. */
export const clinicWelcome: Sketch = [
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
export const clinicRebooking: Sketch = [
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
