import { type IntentPlan, lines } from './words.ts'

/** Intents for requests: appointments, and an agent. */
export const CLINIC_REQUESTS: readonly IntentPlan[] = [
  {
    name: 'marcar_consulta',
    description: 'Quer marcar uma consulta ou um atendimento',
    statements: lines(`
      quero marcar uma consulta | queria agendar uma consulta | preciso marcar consulta para amanhã
      gostaria de agendar um horário | dá pra marcar consulta por aqui? | como faço para marcar uma consulta
      quero marcar [pediatra](especialidade) pra minha filha | preciso de um [pediatra](especialidade) pro meu menino
      meu filho está com tosse, queria passar no [pediatra](especialidade)
      quero uma consulta de [pediatria](especialidade) | tem vaga pra [pediatra](especialidade) essa semana?
      preciso ir ao [dentista](especialidade) | estou com dor de dente, quero marcar [dentista](especialidade)
      quero agendar [dentista](especialidade) para o meu marido | tem horário no [dentista](especialidade)?
      quero fazer uma limpeza nos dentes com o [dentista](especialidade) | consulta de [odontologia](especialidade)
      quero marcar [ginecologista](especialidade) | preciso fazer o preventivo com a [ginecologista](especialidade)
      estou grávida e quero começar o [pré-natal](especialidade) | agendar [ginecologia](especialidade)
      tem consulta com [ginecologista](especialidade) na semana que vem?
      preciso passar no [clínico geral](especialidade) | quero consulta com o [clínico](especialidade)
      estou com dor nas costas faz dias e queria ver um [médico](especialidade) | quero um [médico](especialidade)
      preciso de um [médico](especialidade) | me encaixa no [clínico geral](especialidade)
      quero ver o doutor | marca um horário pra mim por favor | agendar atendimento no posto
      queria marcar um horário com a doutora | tem como agendar pra minha mãe? | marcar consulta pro meu pai
      preciso levar minha avó no [médico](especialidade) | quero passar no [médico](especialidade) do posto
      meu bebê precisa de consulta | quero consulta de rotina | quero fazer um check-up
      tem vaga para consulta? | quais horários têm pra consulta? | posso marcar para quinta?`),
  },
  {
    name: 'remarcar_consulta',
    description: 'Quer mudar o dia ou a hora de uma consulta marcada',
    statements: lines(`
      quero remarcar minha consulta | preciso mudar o dia da consulta | dá pra trocar o horário da consulta?
      queria passar minha consulta pra outro dia | preciso adiar minha consulta | posso remarcar para sexta?
      não vou conseguir ir nesse horário, dá pra mudar? | troca meu horário por favor
      quero mudar a hora do [dentista](especialidade) | remarcar o [pediatra](especialidade) da minha filha
      preciso reagendar | como faço para reagendar a consulta | quero reagendar pra semana que vem
      o horário ficou ruim pra mim, quero outro | tem como adiantar minha consulta? | quero antecipar a consulta
      apareceu um imprevisto e preciso de outra data | muda minha consulta pra tarde
      minha consulta é amanhã mas preciso mudar | trocar a data do atendimento | passar pra outro horário
      queria alterar o horário que eu marquei | posso ir em outro dia? | mudar o agendamento`),
  },
  {
    name: 'cancelar_consulta',
    description: 'Desiste de uma consulta marcada',
    statements: lines(`
      quero cancelar minha consulta | cancela a consulta por favor | preciso desmarcar minha consulta
      não vou mais precisar da consulta | desmarca pra mim | como cancelo uma consulta?
      quero desmarcar o [dentista](especialidade) | cancelar a consulta com a [ginecologista](especialidade)
      não vou poder ir na consulta | não posso ir amanhã, pode cancelar | desisti da consulta
      já melhorei e quero cancelar a consulta | pode dar minha vaga para outra pessoa | libera meu horário
      quero desistir do atendimento que marquei | gostaria de desmarcar o horário de quinta
      tira meu nome da agenda | não quero mais a consulta | cancelar o agendamento
      minha mãe não vai na consulta, cancela | preciso cancelar o horário do [pediatra](especialidade)
      marquei errado, quero cancelar | tem como desmarcar por aqui?`),
  },
  {
    name: 'lista_espera',
    description: 'Pergunta pela lista de espera',
    statements: lines(`
      em que lugar eu estou na lista de espera? | quero entrar na lista de espera | como funciona a lista de espera
      qual a minha posição na fila? | a fila do [dentista](especialidade) está andando?
      faz três meses que estou na fila | quanto tempo demora a lista de espera? | já saiu vaga da lista de espera?
      vocês avisam quando surgir vaga? | quando vão me chamar da fila? | ainda estou na lista?
      tem muita gente na minha frente? | coloca meu nome na lista de espera | me avisa se alguém desistir
      quero saber da fila de espera | estou esperando vaga faz tempo | demora muito pra chamar?`),
  },
  {
    name: 'urgencia',
    description: 'Passa mal ou fala de alguém em perigo',
    statements: lines(`
      é uma urgência | é uma emergência | estou passando muito mal | socorro
      meu pai está com dor no peito | estou com falta de ar | minha mãe desmaiou | ele não está respirando
      meu filho está convulsionando | sofri um acidente | cortei o braço e não para de sangrar
      preciso de uma ambulância | chama o SAMU | minha esposa está em trabalho de parto
      acho que é um infarto | a febre está em 40 e não baixa | meu bebê engasgou
      caí e acho que quebrei a perna | ele bateu a cabeça e desmaiou | acho que é AVC, o rosto dele entortou
      estou com muita dor e não aguento | minha avó está inconsciente | tomei remédio errado e estou tonta
      reação alérgica forte, o rosto inchou | fui picado por uma cobra | preciso de socorro agora`),
  },
  {
    name: 'falar_atendente',
    description: 'Quer falar com uma pessoa',
    statements: lines(`
      quero falar com um atendente | me passa para uma pessoa | quero falar com alguém de verdade
      tem algum humano aí? | não quero falar com robô | atendente por favor | falar com a recepção
      quero falar com a recepcionista | preciso conversar com um funcionário | me transfere para o atendimento
      qual o telefone para falar com alguém? | quero fazer uma reclamação com uma pessoa
      você não está me ajudando, quero um atendente | prefiro falar por telefone | cadê o atendente?
      chama alguém pra me ajudar | tem como falar com a enfermeira? | falar com a assistente social`),
  },
]
