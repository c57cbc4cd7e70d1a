/** Counters of the parts that run bots and campaigns. */
export interface Meters {
  /** A turn ended. `result`: `done`, `internal` or the limit that it exceeded. */
  turned(result: string): void
  /** This node took over work of another node. `sender`: the number of a campaign whose run had begun. */
  tookOver(work: 'turn' | 'agentchat' | 'sender'): void
}
