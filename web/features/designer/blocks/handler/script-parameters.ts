/** `function run(a, b)` and `run = async (a, b) =>`; a list longer than any real one is none. */
const SIGNATURE = /(?:function\s+run\s*|\brun\s*=\s*(?:async\s*)?(?:function\s*)?)\(([^)]{0,500})\)/u

/** Names of what a script's function `run` takes, without their defaults. */
export const scriptParameters = (source: string): readonly string[] =>
  (SIGNATURE.exec(source)?.[1] ?? '')
    .split(',')
    .map(each => each.split('=')[0]?.trim() ?? '')
    .filter(name => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
