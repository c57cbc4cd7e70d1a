import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Questions } from '#realtime/cluster/node-requests.ts'
import { json } from '#schemas/api/common.ts'
import type { Json } from '#schemas/event.ts'
import { type Result, refused } from '#schemas/refusal.ts'

const NODE = /^([\da-f]{32})\./

const askedSchema = z.strictObject({
  act: z.string().max(50),
  /** Id of the bot of a new simulation, else of the simulation. */
  id: z.string().max(200),
  /** Id of the caller's session, or a link. */
  session: z.string().max(200),
  body: json,
})

/** Something to do with a simulation, for the person of a session. */
type AskedAct = z.output<typeof askedSchema>

interface SharedSimulationsOptions {
  /** Subject of the questions between nodes. */
  readonly about: 'simulation' | 'draft' | 'rehearsal'
  readonly questions: Pick<Questions, 'node' | 'answer' | 'askNode'>
  /** Does it with the simulations of this node. */
  readonly perform: (asked: AskedAct) => Promise<Result<Json>>
}

/** Simulations live on the node that began them, which is part of their ids. The other nodes ask it. */
export class SharedSimulations {
  readonly #options: SharedSimulationsOptions

  constructor(options: SharedSimulationsOptions) {
    this.#options = options
    options.questions.answer(
      options.about,
      async content => ({ ...(await options.perform(askedSchema.parse(content))) }) as Json,
    )
  }

  newId(): string {
    return `${this.#options.questions.node}.${randomUUID()}`
  }

  /** Undefined: the simulation's node has stopped, and the simulation with it. */
  async at(simulation: string, asked: AskedAct): Promise<Result<Json> | undefined> {
    const { questions, perform } = this.#options
    const node = NODE.exec(simulation)?.[1]
    if (node === undefined || node === questions.node) return perform(asked)
    return (await questions.askNode(node, this.#options.about, asked)) as Result<Json> | undefined
  }

  /** Refused as unknown when the node of the simulation has stopped. */
  async act(asked: AskedAct): Promise<Result<Json>> {
    return (await this.at(asked.id, asked)) ?? refused('entity.notfound')
  }

  /** Begins one where the simulation lives that it replaces, else here. */
  async begin(asked: AskedAct, replaced: string | undefined): Promise<Result<Json>> {
    const begun = replaced === undefined ? undefined : await this.at(replaced, asked)
    return begun ?? this.#options.perform(asked)
  }
}
