import { chakra } from '@chakra-ui/react'
import { Link } from 'react-router'

/** A link within the console that takes style props. */
export const RouterLink = chakra(Link)
