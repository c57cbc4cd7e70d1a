import { type IntentPlan, lines } from './words.ts'

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
