import { chakra } from '@chakra-ui/react'
import { Link } from 'react-router'

/** A link within the console, among words. Not beside `RouterLink`: the first page needs that one alone. */
export const TextLink = chakra(Link, { base: { color: 'accent.fg', borderRadius: 'xs', focusVisibleRing: 'outside' } })
