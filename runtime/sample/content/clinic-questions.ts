/** An intent of the sample. */
interface IntentPlan {
  readonly name: string
  readonly description?: string
  /** Entities are marked in them. */
  readonly statements: readonly string[]
}

/** Statements that are written side by side. */
const lines = (text: string): readonly string[] =>
  text
    .split(/[|\n]/u)
    .map(line => line.trim())
    .filter(line => line !== '')

/** Intents for information and small talk. */
export const CLINIC_QUESTIONS: readonly IntentPlan[] = [
  {
    name: 'resultado_exame',
    description: 'Procura o resultado de um exame',
    statements: lines(`
      quero ver o resultado do meu exame | meu exame já ficou pronto? | onde vejo o resultado do exame?
      saiu o resultado do exame de sangue? | como pego o resultado dos exames | resultado de exame
      fiz um raio-x semana passada, já está pronto? | quero o laudo da ultrassom | cadê meu exame?
      preciso buscar meus exames | dá pra ver o exame pela internet? | quanto tempo demora para sair o exame?
      fiz coleta na segunda, já saiu? | queria o resultado do preventivo | o resultado da mamografia saiu?
      onde retiro o laudo? | minha mãe fez exame e quer saber o resultado | exame de urina pronto?
      qual o site para ver os exames? | não achei meu exame no site | o hemograma já está pronto?
      perdi o código da coleta do exame | quando sai o meu resultado?`),
  },
  {
    name: 'vacina',
    description: 'Pergunta por vacinas',
    statements: lines(`
      quero tomar vacina | tem vacina da [gripe](vacina)? | onde tomo a vacina da [gripe](vacina)?
      já tem vacina da [covid](vacina)? | preciso da dose de reforço da [covid](vacina)
      posso tomar a vacina de [febre amarela](vacina)? | vou viajar e preciso da vacina de [febre amarela](vacina)
      minha filha precisa da vacina de [HPV](vacina) | quais vacinas o bebê toma com dois meses?
      a vacina do [sarampo](vacina) está disponível? | tem vacina contra [tétano](vacina)?
      precisa marcar hora para vacinar? | que horas abre a sala de vacina? | perdi minha caderneta de vacinação
      quem pode tomar a vacina da [gripe](vacina) esse ano? | vacina de [dengue](vacina) tem no posto?
      quero vacinar meu filho | campanha de vacinação | está atrasada a vacina do meu bebê
      grávida pode tomar vacina? | qual a idade pra tomar a vacina da [dengue](vacina)?
      tem vacina hoje? | quero atualizar a carteira de vacinação | vacinas da semana`),
  },
  {
    name: 'horario_funcionamento',
    description: 'Pergunta quando uma unidade abre',
    statements: lines(`
      que horas abre o posto? | até que horas o posto funciona? | o posto abre no sábado?
      qual o horário de funcionamento da [UBS Centro](unidade)? | a [Vila Nova](unidade) fecha que horas?
      vocês abrem no feriado? | funciona domingo? | o postinho está aberto agora?
      qual o horário de atendimento? | a unidade do [Jardim das Flores](unidade) abre cedo?
      fecha para o almoço? | de que horas a que horas atende? | o posto da [Boa Vista](unidade) abre amanhã?
      abre às sete? | tem atendimento à noite? | a recepção funciona até que horas?
      quais dias a [UBS Boa Vista](unidade) atende? | posso ir depois das cinco da tarde?
      o posto funciona na sexta à tarde? | horários da unidade`),
  },
  {
    name: 'endereco_unidade',
    description: 'Pergunta onde fica uma unidade',
    statements: lines(`
      onde fica o posto? | qual o endereço da [UBS Centro](unidade)? | onde é a [Vila Nova](unidade)?
      como chego na unidade do [Jardim das Flores](unidade)? | qual o posto mais perto de mim?
      qual é a minha UBS? | me passa o endereço da [Boa Vista](unidade) | em que rua fica o postinho?
      que ônibus passa na [UBS Vila Nova](unidade)? | tem estacionamento na unidade?
      onde fica a UPA? | mudei de bairro, qual é o meu posto? | endereço do posto de saúde
      manda a localização da unidade | fica perto da rodoviária? | qual unidade atende o meu bairro?
      não sei onde é o posto | moro no centro, onde devo ir? | o mapa da [UBS Boa Vista](unidade)
      onde é a [UBS Jardim das Flores](unidade)?`),
  },
  {
    name: 'documentos',
    description: 'Pergunta o que levar',
    statements: lines(`
      que documento preciso levar? | o que levar na consulta? | precisa de RG?
      preciso levar comprovante de endereço? | quais documentos para a primeira consulta?
      posso ir só com o CPF? | esqueci a identidade, posso ser atendido? | serve a carteira de motorista?
      o que preciso para me cadastrar no posto? | quais papéis tenho que levar?
      criança precisa de certidão de nascimento? | precisa de encaminhamento? | tem que levar exame antigo?
      documentos necessários | basta o documento com foto? | precisa da carteirinha?
      tenho que levar a caderneta? | o que eu levo no dia?`),
  },
  {
    name: 'cartao_sus',
    description: 'Pergunta pelo Cartão SUS',
    statements: lines(`
      como faço o cartão do SUS? | perdi meu cartão SUS | onde acho o número do cartão do SUS?
      não tenho cartão SUS | quero a segunda via do cartão do SUS | não sei o número do meu cartão SUS
      cartão nacional de saúde | posso usar o CPF no lugar do cartão SUS? | onde tira o cartão do SUS?
      qual é o número do SUS? | o cartão do SUS é obrigatório? | meu cartão SUS está com nome errado
      fazer cartão SUS pro bebê | onde fica o número do cartão? | meu cartão sus rasgou
      tem cartão SUS digital? | preciso atualizar o cartão SUS`),
  },
  {
    name: 'remedios',
    description: 'Pergunta pela farmácia',
    statements: lines(`
      onde pego remédio de graça? | tem [dipirona](remedio) no posto? | a farmácia do posto tem [losartana](remedio)?
      preciso pegar minha [insulina](remedio) | acabou meu remédio da pressão
      que horas a farmácia abre? | precisa de receita para pegar [amoxicilina](remedio)?
      quero renovar minha receita | minha receita venceu | tem [metformina](remedio) hoje?
      onde retiro os medicamentos? | o remédio do meu pai está em falta? | a farmácia popular funciona onde?
      remédio controlado pego onde? | posso pegar remédio para minha avó? | chegou a [insulina](remedio)?
      queria saber se tem [ibuprofeno](remedio) | a receita vale por quanto tempo?
      preciso do meu medicamento de uso contínuo`),
  },
  {
    name: 'saudacao',
    statements: lines(`
      oi | olá | bom dia | boa tarde | boa noite | oi Clara | opa | e aí | oie | olá, tudo bem?
      oi, bom dia | tem alguém aí? | alô | oi boa tarde | tudo bem?`),
  },
  {
    name: 'agradecimento',
    statements: lines(`
      obrigado | obrigada | muito obrigado | valeu | brigada | agradeço a ajuda | obrigadão
      valeu mesmo | Deus te pague | ajudou muito, obrigada | show, obrigado | era só isso, obrigada`),
  },
  {
    name: 'affirm',
    description: 'Sim',
    statements: lines(`
      sim | isso | isso mesmo | pode ser | claro | com certeza | quero sim | exatamente | tá certo | tá bom
      beleza | pode confirmar | perfeito | aham | é isso aí | sim, por favor | uhum | fechado`),
  },
  {
    name: 'deny',
    description: 'Não',
    statements: lines(`
      não | não quero | de jeito nenhum | negativo | acho que não | agora não | não é isso | nada disso
      não, obrigado | está errado | nem pensar | não precisa | melhor não | nunca`),
  },
  {
    name: 'cancel',
    description: 'Larga o que está fazendo',
    statements: lines(`
      deixa pra lá | esquece | quero parar | sair | para tudo | não quero mais continuar | chega
      encerra isso | quero sair daqui | deixa quieto | desisto | parar por aqui`),
  },
  {
    name: 'goback',
    description: 'Volta à pergunta anterior',
    statements: lines(`
      voltar | volta | quero voltar | errei a resposta anterior | volta uma pergunta | respondi errado
      quero corrigir o que eu disse | voltar à pergunta anterior | me enganei na resposta | retornar`),
  },
  {
    name: 'none',
    description: 'Nada que a Clara saiba fazer',
    statements: lines(`
      quem ganhou o jogo ontem? | vai chover amanhã? | quero pagar o IPTU | qual a capital da França?
      me conta uma piada | quanto está o dólar? | quero pedir uma pizza | tem vaga de emprego na prefeitura?
      o caminhão do lixo não passou | tem um buraco na minha rua | como tiro o passaporte?
      quero matricular meu filho na escola | a luz do poste queimou | você é casada? | qual seu time?
      toca uma música | quero comprar um celular | como faço bolo de cenoura? | segunda via da conta de água
      onde renovo a carteira de motorista? | qual o resultado da loteria? | meu cachorro fugiu`),
  },
]

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
      quero falar com uma pessoa | quero falar com um atendente | me passa para uma pessoa
      quero falar com alguém de verdade
      tem algum humano aí? | não quero falar com robô | atendente por favor | falar com a recepção
      quero falar com a recepcionista | preciso conversar com um funcionário | me transfere para o atendimento
      qual o telefone para falar com alguém? | quero fazer uma reclamação com uma pessoa
      você não está me ajudando, quero um atendente | prefiro falar por telefone | cadê o atendente?
      chama alguém pra me ajudar | tem como falar com a enfermeira? | falar com a assistente social`),
  },
]
