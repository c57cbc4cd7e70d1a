import { WrongRevision } from '../store/port.ts'

/** What a plan was made from has changed before its first step: nothing of it is carried out, decide again. */
export class PlanOutdated extends WrongRevision {}
