// Box2D 2.4 as an engine: its own defaults, 8 velocity and 3 position iterations.
#include <box2d/box2d.h>

#include <vector>

extern "C" {
#include "engine.h"
}

namespace {

struct Peer {
    b2World world{b2Vec2(0, 0)};
    SceneDrive drive;
    std::vector<SceneBody> scene;
    std::vector<b2Body *> bodies;
};

b2Vec2 vector(double x, double y)
{
    return b2Vec2(static_cast<float>(x), static_cast<float>(y));
}

// Bounces begin where Ironbird's do; Box2D would have none below 1 m/s.
void add_fixture(b2Body *body, const b2Shape &shape, const Scene &scene)
{
    b2FixtureDef def;
    def.shape = &shape;
    def.friction = static_cast<float>(scene.friction);
    def.restitution = static_cast<float>(scene.restitution);
    def.restitutionThreshold = 0.02f;
    def.density = 1;
    body->CreateFixture(&def);
}

b2Body *add_body(b2World &world, const SceneBody &scene_body, const Scene &scene, int index)
{
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = vector(scene_body.x, scene_body.y);
    def.angle = static_cast<float>(scene_body.heading);
    def.userData.pointer = static_cast<uintptr_t>(index);
    b2Body *body = world.CreateBody(&def);
    if (scene_body.form == SCENE_BALL) {
        b2CircleShape circle;
        circle.m_radius = static_cast<float>(scene_body.length / 2);
        add_fixture(body, circle, scene);
    } else {
        b2PolygonShape box;
        box.SetAsBox(static_cast<float>(scene_body.length / 2),
                     static_cast<float>(scene_body.width / 2));
        add_fixture(body, box, scene);
    }
    b2MassData mass;
    mass.mass = static_cast<float>(scene_body.mass);
    mass.center.SetZero();
    mass.I = static_cast<float>(scene_body.inertia);
    body->SetMassData(&mass);
    return body;
}

void add_walls(b2World &world, const Scene &scene)
{
    for (int i = 0; i < SCENE_WALLS; i++) {
        b2Vec2 corners[4];
        for (int k = 0; k < 4; k++) corners[k] = vector(scene.wall_x[i][k], scene.wall_y[i][k]);
        b2PolygonShape shape;
        shape.Set(corners, 4);
        b2BodyDef def;
        def.userData.pointer = static_cast<uintptr_t>(scene.body_count + i);
        add_fixture(world.CreateBody(&def), shape, scene);
    }
}

void *create_peer(const Scene *scene, bool sleeping)
{
    Peer *peer = new Peer;
    peer->drive = scene->drive;
    peer->scene.assign(scene->bodies, scene->bodies + scene->body_count);
    peer->world.SetAllowSleeping(sleeping);
    add_walls(peer->world, *scene);
    for (int i = 0; i < scene->body_count; i++)
        peer->bodies.push_back(add_body(peer->world, scene->bodies[i], *scene, i));
    return peer;
}

void *create(const Scene *scene)
{
    return create_peer(scene, false);
}

void *create_sleeping(const Scene *scene)
{
    return create_peer(scene, true);
}

// Pushes wake nobody: they are constant.
void push(b2Body *body, const SceneBody &scene_body, const SceneDrive &drive)
{
    if (scene_body.fx != 0 || scene_body.fy != 0)
        body->ApplyForceToCenter(vector(scene_body.fx, scene_body.fy), false);
    if (scene_body.form != SCENE_ROBOT) return;
    b2Vec2 speed = body->GetLocalVector(body->GetLinearVelocity());
    b2Vec2 force = vector(drive.push - drive.drag * speed.x, -drive.side * speed.y);
    body->ApplyForceToCenter(body->GetWorldVector(force), false);
    body->ApplyTorque(static_cast<float>(-drive.turn * body->GetAngularVelocity()), false);
}

bool advance(void *self, int steps)
{
    Peer *peer = static_cast<Peer *>(self);
    for (int k = 0; k < steps; k++) {
        for (std::size_t i = 0; i < peer->bodies.size(); i++)
            push(peer->bodies[i], peer->scene[i], peer->drive);
        peer->world.Step(static_cast<float>(SCENE_STEP), 8, 3);
    }
    return true;
}

void look(void *self, EnginePose *poses)
{
    Peer *peer = static_cast<Peer *>(self);
    for (std::size_t i = 0; i < peer->bodies.size(); i++) {
        b2Vec2 place = peer->bodies[i]->GetPosition();
        poses[i] = EnginePose{place.x, place.y, peer->bodies[i]->GetAngle()};
    }
}

int touches(void *self, EngineTouch *touches, int most)
{
    Peer *peer = static_cast<Peer *>(self);
    int count = 0;
    for (b2Contact *c = peer->world.GetContactList(); c; c = c->GetNext()) {
        if (!c->IsTouching()) continue;
        int a = static_cast<int>(c->GetFixtureA()->GetBody()->GetUserData().pointer);
        int b = static_cast<int>(c->GetFixtureB()->GetBody()->GetUserData().pointer);
        if (count < most) touches[count] = a < b ? EngineTouch{a, b} : EngineTouch{b, a};
        count++;
    }
    return count;
}

void destroy(void *self)
{
    delete static_cast<Peer *>(self);
}

} // namespace

const Engine engine_box2d = {"box2d", create, advance, look, touches, destroy};
const Engine engine_box2d_sleeping = {"box2d_sleeping", create_sleeping, advance, look,
                                      touches,          destroy};
