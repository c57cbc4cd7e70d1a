import { type Sketch, sketch } from '../sketch.ts'

const { start, mark, say, ask, branch, call, set, handler, gallery, task, end, hours } = sketch

/** Books an appointment at a health post. */
export const clinicBooking: Sketch = [
  {
    key: 'inicio',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Marcar consulta'),
      // Skips questions already answered in the person's own words.
      set('O que já foi dito', { especialidade: '{{entities.especialidade}}' }),
      ask('Cartão SUS ou CPF', 'Para começar, me diga o seu CPF ou o número do <b>Cartão SUS</b>.', 'documento', {
        retry: 'O CPF tem 11 números e o Cartão SUS tem 15. Pode conferir?',
      }),
      handler('Confere o documento', 'saude/confere-documento', ['documento']),
      call('Busca o cadastro', 'get', '{{endereco_prontuario}}/pacientes/{{documento}}', { result: 'paciente' }),
      branch('Tem cadastro?', [
        { label: 'Sem cadastro', variable: 'paciente', is: 'isNull', values: [], to: 'cadastro' },
      ]),
      say(
        'Confirma a pessoa',
        'Olá, {{paciente.nome}}! Encontrei seu cadastro na {{paciente.unidade}}.',
        'especialidade',
      ),
    ],
  },
  {
    key: 'cadastro',
    column: 0,
    row: 8,
    pieces: [
      mark('Sem cadastro'),
      say(
        'Como se cadastrar',
        'Ainda não encontrei você. O cadastro é feito na unidade, com documento e comprovante de endereço.',
      ),
      ask('CEP', 'Quer saber qual é a sua unidade? Digite o seu CEP.', 'cep', { validation: 'CEP' }),
      call('Unidade do endereço', 'get', '{{endereco_prontuario}}/unidades?cep={{cep}}', { result: 'unidade' }),
      say('Sua unidade', 'Sua unidade é a {{unidade}}, aberta das 7h às 17h.', 'fim'),
    ],
  },
  {
    key: 'especialidade',
    column: 1,
    row: 8,
    pieces: [
      mark('Especialidade'),
      ask('Qual especialidade', 'Para qual atendimento você quer marcar?', 'especialidade', {
        options: ['Clínica geral', 'Pediatria', 'Ginecologia', 'Odontologia', 'Vacinação'],
        style: 'list',
        kept: 'Você quer marcar {{especialidade}}, certo?',
        only: ['urgencia', 'falar_atendente', 'cancel', 'goback'],
      }),
      branch('Precisa marcar?', [
        { label: 'Vacinação', variable: 'especialidade', values: ['Vacinação'], to: 'vacina' },
      ]),
      call('Horários livres', 'get', '{{endereco_prontuario}}/agenda?especialidade={{especialidade}}', {
        result: 'horarios',
      }),
      branch('Há vaga?', [
        { label: 'Sem vaga', variable: 'horarios[0]', datatype: 'object', is: 'isNull', values: [], to: 'espera' },
      ]),
      ask('Escolhe o horário', 'Estes são os próximos horários. Qual você prefere?', 'horario', {
        options: ['Amanhã, 8h20', 'Amanhã, 14h40', 'Quinta, 9h00', 'Nenhum deles'],
        style: 'list',
      }),
      branch(
        'Serve algum?',
        [{ label: 'Nenhum', variable: 'horario', values: ['Nenhum deles'], to: 'espera' }],
        'confirma',
      ),
    ],
  },
  {
    key: 'vacina',
    column: 2,
    row: 8,
    pieces: [
      mark('Vacinação'),
      hours('Sala de vacina aberta?', '08:00', '16:30', 'vacina-fechada'),
      gallery('Vacinas da semana', [
        {
          title: 'Gripe',
          text: 'Para todas as idades a partir de 6 meses',
          picture: 'https://midia.valeclaro.example/gripe.jpg',
          buttons: ['Quero esta'],
        },
        {
          title: 'Covid-19',
          text: 'Dose de reforço para grupos prioritários',
          picture: 'https://midia.valeclaro.example/covid.jpg',
          buttons: ['Quero esta'],
        },
        {
          title: 'Febre amarela',
          text: 'Dose única, a partir de 9 meses',
          picture: 'https://midia.valeclaro.example/febre-amarela.jpg',
          buttons: ['Quero esta'],
        },
      ]),
      say('Sem marcar', 'Vacina não precisa de hora marcada: venha com a caderneta e um documento. 💉', 'fim'),
    ],
  },
  {
    key: 'vacina-fechada',
    column: 2,
    row: 13,
    pieces: [
      mark('Sala de vacina fechada'),
      say('Horário da sala', 'A sala de vacina abre de segunda a sexta, das 8h às 16h30.', 'fim'),
    ],
  },
  {
    key: 'confirma',
    column: 1,
    row: 16,
    pieces: [
      mark('Confirmação'),
      ask('Confirma', 'Posso confirmar {{especialidade}}, {{horario}}, na {{paciente.unidade}}?', 'confirma', {
        options: ['Confirmar', 'Trocar horário'],
        style: 'button',
      }),
      branch('Confirmou?', [
        { label: 'Trocar', variable: 'confirma', values: ['Trocar horário'], to: 'especialidade' },
      ]),
      call('Marca a consulta', 'post', '{{endereco_prontuario}}/consultas', {
        input: { paciente: '{{documento}}', especialidade: '{{especialidade}}', horario: '{{horario}}' },
        result: 'consulta',
      }),
      set('Guarda a consulta', { codigo_consulta: '{{consulta.codigo}}', lembrar: '{{true}}' }),
      say('Tudo certo', 'Prontinho! Seu código é {{codigo_consulta}}. Chegue 15 minutos antes, com documento. 📅'),
      say('Lembrete', 'Na véspera eu mando um lembrete por aqui.', 'fim'),
    ],
  },
  {
    key: 'espera',
    column: 0,
    row: 16,
    pieces: [
      mark('Lista de espera'),
      ask('Entrar na lista', 'Não há vaga que sirva agora. Quer entrar na lista de espera?', 'lista', {
        options: ['Sim', 'Não'],
        style: 'button',
      }),
      branch('Entra na lista?', [{ label: 'Não', variable: 'lista', to: 'fim' }]),
      call('Inscreve na lista', 'post', '{{endereco_prontuario}}/espera', {
        input: { paciente: '{{documento}}', especialidade: '{{especialidade}}' },
        result: 'espera',
      }),
      say('Na lista', 'Você é o número {{espera.posicao}} da lista. Aviso assim que surgir uma vaga.', 'fim'),
    ],
  },
  {
    key: 'excecoes',
    column: 2,
    row: 17,
    pieces: [mark('Sem resposta'), task('Volta à recepção', 'saude/recepcao')],
  },
  {
    key: 'erro',
    column: 2,
    row: 21,
    pieces: [
      mark('Prontuário fora do ar'),
      say('Instabilidade', 'O sistema da saúde está fora do ar. Tente mais tarde ou ligue 156.', 'fim'),
    ],
  },
  { key: 'fim', column: 1, row: 25, pieces: [mark('Fim'), end('Encerra o diálogo')] },
]
