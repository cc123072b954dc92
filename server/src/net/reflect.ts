/**
 * @peculiar/x509 finds its parts through tsyringe, which refuses to load without the `reflect-metadata` interface.
 * None of those parts takes anything from it, so "nothing is known" is a full answer.
 */
const nothing = () => undefined

if (!('getMetadata' in Reflect))
  Object.assign(Reflect, { getMetadata: nothing, getOwnMetadata: nothing, defineMetadata: nothing })

export {}
